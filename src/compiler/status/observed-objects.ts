import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { specHashAnnotation } from '../../ocm/annotations.ts';
import { addOnNamespaceLabel } from '../../ocm/hosted-mode.ts';
import { addOnNameLabel, clusterNameLabel } from '../../ocm/labels.ts';
import type { Condition, ManifestWorkV1Status } from '../../../schemas/types.gen.ts';
import type { ObservedRequest, ObservedWork } from './observation.ts';

/** A work, and the cluster whose add-on it belongs to. */
export interface WorkOfAddOn {
  readonly cluster: string;
  readonly work: ObservedWork;
}

/** Returns the parts of a ManifestWork that the rules for causes read. The API server has validated it. */
export function observedWork({ metadata, status }: KubernetesObject): WorkOfAddOn {
  const { conditions = [], resourceStatus } = (status ?? {}) as ManifestWorkV1Status;
  const manifests = resourceStatus?.manifests ?? [];
  const changed = changeTimeOf(metadata);
  return {
    cluster: metadata.labels?.[addOnNamespaceLabel] ?? metadata.namespace ?? '',
    work: {
      name: metadata.name ?? '',
      generation: metadata.generation ?? 0,
      ...(changed !== undefined && { changed }),
      configHashes: hashesIn(metadata.annotations?.[specHashAnnotation]),
      conditions,
      manifests: manifests.map(
        ({ resourceMeta: { kind = '', namespace = '', name = '' }, conditions: own }) => ({
          name: `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`,
          conditions: own,
        }),
      ),
    },
  };
}

/** Returns the latest time at which a writer changed an object, also its status, in RFC 3339. */
export function writeTimeOf({ metadata }: KubernetesObject): string | undefined {
  const { managedFields } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  return (managedFields ?? [])
    .flatMap(({ time }) => time ?? [])
    .sort()
    .at(-1);
}

/** Returns the latest time at which a writer changed anything but the status. */
export function changeTimeOf(metadata: KubernetesObject['metadata']): string | undefined {
  const { managedFields } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  const times = (managedFields ?? []).flatMap(({ time, subresource = '' }) =>
    subresource === '' && time !== undefined ? [time] : [],
  );
  if (times.length > 0) return times.sort().at(-1);
  return metadata.generation === 1 ? metadata.creationTimestamp : undefined;
}

interface ManagedFields {
  /** RFC 3339, UTC. */
  readonly time?: string;
  readonly subresource?: string;
}

/** Returns the values of a JSON object of strings; none of any other text. */
function hashesIn(annotation = '{}'): readonly string[] {
  try {
    const hashes: unknown = JSON.parse(annotation);
    return isJsonMap(hashes)
      ? Object.values(hashes)
          .filter((hash) => typeof hash === 'string')
          .sort()
      : [];
  } catch {
    return [];
  }
}

/** A certificate request, and the add-on on a cluster that it is for. */
export interface RequestOfAddOn {
  readonly cluster: string;
  readonly addOn: string;
  readonly request: ObservedRequest;
}

interface RequestSpec {
  readonly signerName?: string;
}

interface RequestStatus {
  readonly conditions?: readonly Pick<Condition, 'type' | 'message'>[];
  readonly certificate?: string;
}

/** Returns the parts of a CertificateSigningRequest that the rules for causes read. The API server has validated it. */
export function observedRequest({ metadata, spec, status }: KubernetesObject): RequestOfAddOn {
  const { signerName = '' } = (spec ?? {}) as RequestSpec;
  const { conditions = [], certificate } = (status ?? {}) as RequestStatus;
  return {
    cluster: metadata.labels?.[clusterNameLabel] ?? '',
    addOn: metadata.labels?.[addOnNameLabel] ?? '',
    request: {
      name: metadata.name ?? '',
      created: metadata.creationTimestamp ?? '',
      signer: signerName,
      conditions: conditions.map(({ type, message }) => ({ type, message })),
      isIssued: certificate !== undefined && certificate !== '',
    },
  };
}
