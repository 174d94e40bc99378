import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { Clock } from '../../../client/clock.ts';
import type { Registration } from '../../add-on/registration.ts';
import { registeredSubject } from '../../add-on/registered-subject.ts';
import { managedClusterAddOns } from '../../add-on/managed-cluster-add-ons.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import type { ClusterEndpoint } from '../../../client/kubeconfig/connect.ts';
import type { Log } from '../../operation/log.ts';
import { agentNamespace, type AgentAddOn } from '../agent-add-on.ts';
import type { RepeatedTask } from '../repeated-task.ts';
import { sentenceOf } from '../../../client/api-error.ts';
import { certificateSigningRequests, secrets } from '../resources.ts';
import { credentialIn, credentialSecret, secretName } from './credential-secret.ts';
import { certificateState } from './certificate-state.ts';
import { SecretInventory, pendingName } from './secret-inventory.ts';
import {
  createRequest,
  describe,
  openRequestIn,
  openRequestSecret,
  outcomeOf,
  type OpenRequest,
  type DesiredCertificate,
} from './open-request.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../ocm/labels.ts';
import { apiServerSigner } from '../../../ocm/signers.ts';

export interface CredentialsOptions {
  readonly hub: ApiClient;
  readonly cluster: ApiClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly addOn: AgentAddOn;
  /** For kubeconfigs. */
  readonly endpoint: ClusterEndpoint;
  /** The lifetime of certificates, in milliseconds. */
  readonly lifetime: number;
  /** Returns the name of the cluster's agent on the hub: the part of its user behind the name of the cluster. */
  readonly agent: (signal: AbortSignal) => Promise<string>;
  /** Called with the end of a certificate, in milliseconds since the epoch. */
  readonly onCertificate?: (secret: string, notAfter: number) => void;
}

/** How often the registrations are read if there is nothing to do, and if the hub has none yet. Milliseconds. */
const resync = 300_000;
const untilRegistered = 15_000;
/** How often an open request is checked, and how long to wait after a rejection. Milliseconds. */
const untilSigned = 5_000;
const afterRefusal = 300_000;

/** Maximum number of requests of an add-on on the hub at a time, as in OCM's agent. */
const mostRequests = 10;

/**
 * Requests the certificates that an add-on is registered for, stores them in Secrets, and renews them before they
 * expire. Deletes Secrets of registrations that no longer exist. As OCM's addOnRegistrationController: not while the
 * ManagedClusterAddOn is being deleted, when its agent may still have to clean up on the hub.
 */
export function credentials(options: CredentialsOptions): RepeatedTask {
  const { hub, cluster, addOn, log } = options;
  /** By namespace: the hub may report another one later. */
  const inventories = new Map<string, SecretInventory>();
  const inventoryOf = (namespace: string): SecretInventory => {
    return getOrInsertComputed(
      inventories,
      namespace,
      () => new SecretInventory({ cluster, log, addOn: addOn.name, namespace }),
    );
  };
  let waiting = false;
  let failure: string | undefined;

  /** A failed deletion must not block the renewal of certificates: it is retried with the next step. */
  async function removeOthers(namespace: string, names: readonly string[], signal: AbortSignal) {
    try {
      for (const [at, secrets] of inventories)
        await secrets.removeAllBut(at === namespace ? names : [], signal);
      failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      const before = failure;
      failure = sentenceOf(error);
      if (failure !== before) log.warn({ error: failure }, 'Secrets that are no longer registered stay');
    }
  }

  return {
    name: 'credentials',
    step: async (signal) => {
      const name = { namespace: addOn.cluster, name: addOn.name };
      const onHub = await hub.get(managedClusterAddOns, name, signal);
      if (onHub?.metadata.deletionTimestamp !== undefined) return untilRegistered;
      const registrations: readonly Registration[] = onHub?.status?.registrations ?? [];
      const namespace = agentNamespace(addOn, onHub ?? { spec: {} });
      const inventory = inventoryOf(namespace);
      if (onHub === undefined || registrations.length === 0) {
        if (!waiting) log.info({}, 'the hub has no registration of the add-on on this cluster');
        waiting = true;
        await removeOthers(namespace, [], signal);
        return untilRegistered;
      }
      waiting = false;
      const names = registrations.map(({ signerName }) => secretName(addOn.name, signerName));
      await inventory.add(names, signal);
      let wait = resync;
      for (const registration of registrations)
        wait = Math.min(wait, await maintain(registration, namespace, inventory, options, signal));
      await removeOthers(namespace, names, signal);
      return wait;
    },
  };
}

/** Maintains one certificate. Returns the number of milliseconds until the next check. */
async function maintain(
  registration: Registration,
  namespace: string,
  inventory: SecretInventory,
  options: CredentialsOptions,
  signal: AbortSignal,
): Promise<number> {
  const { cluster, clock, addOn, lifetime, endpoint, onCertificate } = options;
  const { signerName } = registration;
  const name = secretName(addOn.name, signerName);
  const secret = { namespace, name };
  const log = options.log.child({ secret: name });
  const agent = registration.subject?.user ? '' : await options.agent(signal);
  const subject = registeredSubject(registration, { addOn: addOn.name, cluster: addOn.cluster, agent });
  const desired: DesiredCertificate = {
    addOn: addOn.name,
    cluster: addOn.cluster,
    signerName,
    subject,
    lifetime,
  };

  const stored = credentialIn(await cluster.get(secrets, secret, signal));
  const state =
    stored === undefined ? { unusable: 'there is none' } : certificateState(stored, subject, clock.now());
  if ('notAfter' in state) {
    onCertificate?.(name, state.notAfter);
    const remaining = state.renewAt - clock.now();
    if (remaining > 0) {
      // Another certificate was requested, and the registration changed back before it was issued.
      await inventory.remove(pendingName(name), signal);
      return remaining;
    }
  }

  const pending = { ...secret, name: pendingName(name) };
  const forget = async (): Promise<void> => await cluster.delete(secrets, pending, { signal });
  const open = openRequestIn((await cluster.get(secrets, pending, signal))?.data);
  if (open !== undefined && open.desired === describe(desired)) {
    const outcome = await outcomeOf(options.hub, open, signal);
    if (outcome === 'open') return untilSigned * (1 + clock.random() / 5);
    if (outcome !== 'gone' && 'refused' in outcome) {
      log.warn({ request: open.request, refused: outcome.refused }, 'refused');
      await forget();
      return afterRefusal;
    }
    if (outcome !== 'gone') return await install(outcome.certificate, open);
  }
  const others = await requestsOnHub(options, signal);
  if (others >= mostRequests) {
    log.warn({ requests: others }, 'too many requests are on the hub, so no other is created');
    return afterRefusal;
  }
  const openRequest = await createRequest(options.hub, desired, signal);
  // Written last: a request that is lost with the process is one of few, and expires.
  await cluster.apply(secrets, openRequestSecret(pending, addOn.name, openRequest), { signal });
  const why = 'unusable' in state ? state.unusable : 'it ends soon';
  log.info({ request: openRequest.request, why }, 'requested a certificate');
  return untilSigned;

  async function install(certificate: string, { request, key }: OpenRequest): Promise<number> {
    const credential = { certificate, key };
    const signed = certificateState(credential, subject, clock.now());
    if ('unusable' in signed) {
      log.warn({ request, unusable: signed.unusable }, 'the certificate cannot be used');
      await forget();
      return afterRefusal;
    }
    const hub = signerName === apiServerSigner ? endpoint : undefined;
    const whose = { addOn: addOn.name, cluster: addOn.cluster, hub };
    await cluster.apply(secrets, credentialSecret(secret, credential, whose), { signal });
    await forget();
    onCertificate?.(name, signed.notAfter);
    log.info({ request, until: new Date(signed.notAfter).toISOString() }, 'got a certificate');
    return Math.max(0, signed.renewAt - clock.now());
  }
}

/** Returns the number of requests for certificates of the add-on on this cluster. */
async function requestsOnHub({ hub, addOn }: CredentialsOptions, signal: AbortSignal): Promise<number> {
  const labelSelector = `${clusterNameLabel}=${addOn.cluster},${addOnNameLabel}=${addOn.name}`;
  return (await hub.list(certificateSigningRequests, { labelSelector, signal })).length;
}
