import { addToGroup } from '../../base/collections/groups.ts';
import type {
  ClusterDetails,
  ComparedAddOn,
  ObservedProgress,
  ObservedRequest,
  ObservedWork,
  StatusDetails,
} from '../../compiler/index.ts';
import {
  changeTimeOf,
  observedRequest,
  observedWork,
  writeTimeOf,
} from '../../compiler/status/observed-objects.ts';
import { placementLabel } from '../../ocm/labels.ts';
import type { ClusterManagementAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import type { Selection } from '../../client/api-reader.ts';
import { clusterResource, type Resource } from '../../client/resource.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';
import { HubError } from './hub-error.ts';
import type { HubReader } from './hub-reader.ts';

const works = resourceOf(ocmKinds.manifestWork, 'v1');
const namespaces = clusterResource('v1', 'Namespace', 'namespaces');
const requests = clusterResource(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
);

const definitions = resourceOf(ocmKinds.clusterManagementAddOn, 'v1alpha1');
const decisions = resourceOf(ocmKinds.placementDecision, 'v1beta1');

/** The number of clusters of an add-on up to which the works of each are read alone. */
const mostSingleReads = 20;

/**
 * Reads what the rules for causes need about the suspects: works, certificate requests, namespaces. Nothing is read for clusters that
 * wait for their wave.
 *
 * @throws HubError if the hub does not answer. Kinds that may not be read are listed in `unread`.
 */
export async function readStatusDetails(
  reader: HubReader,
  compared: readonly ComparedAddOn[],
): Promise<StatusDetails> {
  const details = new DetailsReader(reader);
  for (const { addOn, suspects } of compared) {
    // Of compiled delivery, the works show whether Git is applied.
    const isSettled = (progress: ObservedProgress): boolean =>
      progress === 'missing' || (progress === 'ToApply' && addOn.delivery !== 'compiled');
    const observed = suspects.filter(({ progress }) => !isSettled(progress));
    const isSingle = observed.length <= mostSingleReads;
    if (!isSingle) await details.readWorks(addOn.name);
    for (const { cluster, observed: onHub } of observed) {
      if (isSingle) await details.readWorks(addOn.name, cluster);
      if ((onHub?.status?.registrations ?? []).length > 0) await details.readRequests();
    }
    if (suspects.some(({ progress }) => progress === 'missing')) await details.readNamespaces();
    if (suspects.some(({ progress }) => progress === 'missing' || progress === 'unexpected'))
      await details.readDecided(addOn.name);
  }
  return details;
}

class DetailsReader implements StatusDetails {
  readonly unread: string[] = [];
  readonly #hub: HubReader;
  readonly #works = new Map<string, ObservedWork[]>();
  readonly #decided = new Map<string, string>();
  #requests: Map<string, ObservedRequest[]> | undefined;
  #namespaces: ReadonlySet<string> | undefined;
  #hasReadNamespaces = false;

  constructor(hub: HubReader) {
    this.#hub = hub;
  }

  of = (addOn: string, cluster: string): ClusterDetails => ({
    works: this.#works.get(keyOf(cluster, addOn)) ?? [],
    requests: this.#requests?.get(keyOf(cluster, addOn)) ?? [],
    ...(this.#namespaces !== undefined && { hasNamespace: this.#namespaces.has(cluster) }),
    ...(this.#decided.has(addOn) && { decided: this.#decided.get(addOn) ?? '' }),
  });

  /** @param cluster - @default - all clusters */
  async readWorks(addOn: string, cluster?: string): Promise<void> {
    const selection = {
      ...(cluster !== undefined && { namespace: cluster }),
      labelSelector: `${addOnNameLabel}=${addOn}`,
    };
    for (const { cluster: itsCluster, work } of await this.#read(works, selection, observedWork))
      addToGroup(this.#works, keyOf(itsCluster, addOn), work);
  }

  async readRequests(): Promise<void> {
    if (this.#requests !== undefined) return;
    const read = await this.#read(requests, { labelSelector: addOnNameLabel }, observedRequest);
    this.#requests = new Map();
    for (const { cluster, addOn, request } of read)
      addToGroup(this.#requests, keyOf(cluster, addOn), request);
    for (const list of this.#requests.values()) list.sort(byAge);
  }

  async readNamespaces(): Promise<void> {
    if (this.#hasReadNamespaces) return;
    this.#hasReadNamespaces = true;
    const names = await this.#read(namespaces, {}, ({ metadata }) => metadata.name ?? '');
    if (!this.unread.includes(namespaces.plural)) this.#namespaces = new Set(names);
  }

  /** Reads when the add-on, or a decision of one of its placements, changed for the last time. */
  async readDecided(addOn: string): Promise<void> {
    const placements: string[] = [];
    const times: string[] = [];
    const selection = { fieldSelector: `metadata.name=${addOn}` };
    await this.#read(definitions, selection, (object) => {
      if (object.metadata.name !== addOn) return;
      times.push(changeTimeOf(object.metadata) ?? '');
      const { spec } = object as KubernetesObject & ClusterManagementAddOnV1alpha1;
      placements.push(
        ...(spec.installStrategy?.placements ?? []).map(({ namespace, name }) => `${namespace}/${name}`),
      );
    });
    for (const each of new Set(placements)) {
      const [namespace = '', name = ''] = each.split('/');
      const ofPlacement = { namespace, labelSelector: `${placementLabel}=${name}` };
      times.push(...(await this.#read(decisions, ofPlacement, (object) => writeTimeOf(object) ?? '')));
    }
    const latest = times.sort().at(-1) ?? '';
    // What may not be read may have changed a moment ago.
    if (latest !== '' && !this.unread.includes(decisions.plural)) this.#decided.set(addOn, latest);
  }

  /** Returns nothing for a kind that may not be read. */
  async #read<P>(
    resource: Resource,
    selection: Selection,
    partOf: (object: KubernetesObject) => P,
  ): Promise<readonly P[]> {
    if (this.unread.includes(resource.plural)) return [];
    try {
      return (await this.#hub.listParts(resource, selection, partOf)) ?? [];
    } catch (error) {
      if (!(error instanceof HubError) || error.diagnostic.code !== 'FW9007') throw error;
      this.unread.push(resource.plural);
      return [];
    }
  }
}

function keyOf(cluster: string, addOn: string): string {
  return `${cluster}/${addOn}`;
}

/** Compares requests for sorting: the newest first, and of those of one second one with a certificate: the agent sends no other after it. */
function byAge(a: ObservedRequest, b: ObservedRequest): number {
  if (a.created !== b.created) return a.created < b.created ? 1 : -1;
  return Number(b.isIssued) - Number(a.isIssued);
}
