import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  collect,
  CompanionController,
  StatusController,
  type CompanionControllerProps,
  type StatusControllerProps,
} from '../../../constructs/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ApiClient, ApiError } from '../client/api-client.ts';
import { readAccess } from '../client/kubeconfig.ts';
import { namespaceKind, reference, type KindOf } from '../client/kinds.ts';
import { kubeconfigAs, untilBound } from './permissions.ts';
import { until } from './until.ts';

/** The namespace of the companions of these tests, and where their Leases are. */
export const companionNamespace = 'fleetwright';

const leaseKind: KindOf = ['coordination.k8s.io/v1', 'Lease'];
const accountKind: KindOf = ['v1', 'ServiceAccount'];

/** What the construct makes for a companion. */
export function companionObjects(
  name: string,
  props: Partial<CompanionControllerProps> = {},
): readonly KubernetesObject[] {
  const tree = new App();
  const chart = new Chart(tree, 'hub');
  new CompanionController(chart, name, { image: 'fleetwright', namespace: companionNamespace, ...props });
  return collected(tree);
}

/** What the construct makes for `controller status`. */
export function statusObjects(
  name: string,
  props: Partial<StatusControllerProps> = {},
): readonly KubernetesObject[] {
  const tree = new App();
  const chart = new Chart(tree, 'hub');
  new StatusController(chart, name, { image: 'fleetwright', namespace: companionNamespace, ...props });
  return collected(tree);
}

function collected(tree: App): readonly KubernetesObject[] {
  const { objects, errors } = collect(tree);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return objects.map(({ object }) => object);
}

/**
 * Applies what the construct makes for a companion to a hub, and returns the path of a kubeconfig with a token of its
 * ServiceAccount. By then the API server acts on the permissions and on the admission policies.
 */
export async function confinedKubeconfig(
  hub: ApiClient,
  kubeconfig: string,
  name: string,
  props: Partial<CompanionControllerProps> = {},
): Promise<string> {
  const objects = companionObjects(name, props);
  const meant = reference(leaseKind, 'of-nobody', companionNamespace);
  return await accountKubeconfig(hub, kubeconfig, { name, objects, meant });
}

/** A ServiceAccount with everything that a construct makes for it. */
interface ConfinedAccount {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  /** An object that the admission policies do not let it create, if there are any. */
  readonly meant: KubernetesObject;
}

/** As `confinedKubeconfig`, for the objects of any construct. */
export async function accountKubeconfig(
  hub: ApiClient,
  kubeconfig: string,
  { name, objects, meant }: ConfinedAccount,
): Promise<string> {
  await hub.apply(reference(namespaceKind, companionNamespace));
  for (const object of objects) await hub.apply(object);
  const token = await hub.createToken(reference(accountKind, name, companionNamespace));
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-companion-'));
  const file = kubeconfigAs(kubeconfig, { folder, name, change: () => ({ token }) });
  await untilBound(hub, objects);
  if (objects.some(({ kind }) => kind === 'ValidatingAdmissionPolicy')) await untilConfined(file, meant);
  return file;
}

/** The API server reads all policies at once, so a client that the last one applies to meets all of them. */
async function untilConfined(kubeconfig: string, meant: KubernetesObject): Promise<void> {
  const companion = new ApiClient(readAccess(kubeconfig));
  await until('an admission policy', async () => {
    try {
      await companion.create(meant, { dryRun: true });
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.refusal.message.includes('ValidatingAdmissionPolicy'))
        return true;
      throw error;
    }
  });
  companion.close();
}
