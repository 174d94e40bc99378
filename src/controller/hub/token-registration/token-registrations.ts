import type { ManagedClusterAddOnV1alpha1 } from '../../../../schemas/types.gen.ts';
import { ApiError, isConflict } from '../../../client/api-error.ts';
import { keyOf, nameOfKey, type ObjectKey, type Stored } from '../../../client/object.ts';
import { isManagedByAddonManager } from '../../../ocm/lifecycle.ts';
import { usesToken } from '../../../ocm/token-infrastructure.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import { Budgets } from '../../events/budgets.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { Registering } from '../registration/register.ts';
import {
  applyTokenInfrastructure,
  areApplied,
  ForeignObjectError,
  haveOwn,
  removeTokenInfrastructure,
  tokenObjects,
} from './apply-token-infrastructure.ts';
import { isOwn } from './token-objects.ts';

/** The state of the objects from which an agent gets its token: `unmanaged` if the companion does not decide about it. */
export type TokenState = { readonly uid: string } | { readonly error: string } | 'none' | 'unmanaged';

/** The result of a step. */
export interface TokenRegistration {
  readonly state: TokenState;
  /** The error that causes a retry. */
  readonly cause?: unknown;
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** Changes for one agent: this number at once, and one more each time after some milliseconds. The agent decides about its driver. */
const changes = { burst: 10, refill: 5000 };

/**
 * Creates the objects from which agents get tokens, as OCM addontokeninfra, and removes them. Where the addon-manager of the hub
 * runs, it does the same for all add-ons. Both then want the same content, and the companion neither changes nor deletes what it did
 * not create, so that neither undoes what the other does.
 */
export class TokenRegistrations {
  readonly #context: ControllerContext;
  readonly #budgets: Budgets;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#budgets = new Budgets({ clock: context.clock, ...changes });
  }

  /** Creates or removes the objects of an add-on on a cluster that the companion manages. */
  async reconcile(
    onCluster: Stored<ManagedClusterAddOnV1alpha1>,
    token: Registering['token'],
    signal: AbortSignal,
  ): Promise<TokenRegistration> {
    const { client, tokenInformers } = this.#context;
    if (tokenInformers === undefined || token === 'unknown') return { state: 'unmanaged' };
    const key = keyOf(onCluster);
    const objects = tokenObjects(tokenInformers, key);
    const isUpToDate = token === 'needed' ? areApplied(objects) : !haveOwn(objects);
    if (!isUpToDate && !this.#budgets.take(key))
      return { state: 'unmanaged', requeueAfter: this.#budgets.wait(key) };
    if (token === 'not-needed') {
      await removeTokenInfrastructure(client, objects, signal);
      const { cached } = objects.account;
      const isServed = usesToken(onCluster.status ?? {}) && cached !== undefined && !isOwn(cached);
      return { state: isServed ? 'unmanaged' : 'none' };
    }
    try {
      return { state: { uid: await applyTokenInfrastructure(client, objects, signal) } };
    } catch (cause) {
      if (cause instanceof ForeignObjectError) return { state: { error: cause.message }, cause };
      // Another writer was first, which need not be reported.
      if (!(cause instanceof ApiError) || isConflict(cause)) throw cause;
      return { state: { error: cause.status.message }, cause };
    }
  }

  /**
   * Removes the objects of an add-on that is no longer on a cluster, or that the companion no longer manages. An add-on that is handed
   * over to the addon-manager of the hub keeps them, so that its agents keep their tokens.
   */
  async release(key: ObjectKey, signal: AbortSignal): Promise<void> {
    const { client, informers, tokenInformers } = this.#context;
    if (tokenInformers === undefined) return;
    const objects = tokenObjects(tokenInformers, key);
    if (!haveOwn(objects)) return;
    const name = nameOfKey(key);
    const addOn = informers.clusterManagementAddOns.store.get(name.name);
    // The cache may be stale: without its ServiceAccount, the token of an agent is no longer valid.
    const isInstalled = (await client.get(managedClusterAddOns, name, signal)) !== undefined;
    if (isInstalled && (addOn === undefined || isManagedByAddonManager(addOn))) return;
    await removeTokenInfrastructure(client, objects, signal);
  }
}
