import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { TargetHub } from '../admit/conversion/for-hub.ts';
import { placementLabel } from '../../ocm/labels.ts';
import { hubObjects } from '../hub-objects.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import { differencesOf, disagreementsOf, type Compute } from './differences.ts';
import type { Difference, Unasked, VerifiedSubject } from './verification.ts';
import type { WaitingClusters } from './waiting-clusters.ts';

const computed: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  [
    ocmKinds.placementDecision.kind,
    ({ status }) => ({ clusters: listOf(status, 'decisions').map((each) => fieldOf(each, 'clusterName')) }),
  ],
  [
    ocmKinds.clusterManagementAddOn.kind,
    ({ status }) => ({
      // v1alpha1 spells it with a lower-case c.
      defaultConfigReferences: [
        ...listOf(status, 'defaultconfigReferences'),
        ...listOf(status, 'defaultConfigReferences'),
      ].map(reference),
      installProgressions: listOf(status, 'installProgressions').map((each) => ({
        namespace: fieldOf(each, 'namespace'),
        name: fieldOf(each, 'name'),
        configReferences: listOf(each, 'configReferences').map(reference),
      })),
    }),
  ],
  [
    ocmKinds.managedClusterAddOn.kind,
    ({ status }) => ({
      configReferences: listOf(status, 'configReferences').map(reference),
      namespace: fieldOf(status, 'namespace') ?? '',
      registrations: listOf(status, 'registrations'),
    }),
  ],
]);

/** The add-ons and the Placements (`NAMESPACE/NAME`) to compare. */
export interface ComparedNames {
  readonly addOns: ReadonlySet<string>;
  readonly placements: ReadonlySet<string>;
}

/**
 * Compares what a hub has computed for the objects that it has with what is predicted for them: decisions, configurations with their
 * hashes, registrations.
 *
 * @param resolution - the prediction for the objects of the hub
 * @param held - the objects of the hub, with their statuses
 * @param waiting - the clusters that still have earlier configurations
 * @param names - what to compare. @default - everything
 */
export function compareState(
  resolution: Resolution,
  target: TargetHub,
  held: readonly KubernetesObject[],
  waiting: WaitingClusters,
  names?: ComparedNames,
): { readonly subjects: readonly VerifiedSubject[]; readonly unasked: readonly Unasked[] } {
  const onHub = new Map(
    held.flatMap((object) => (computed.has(object.kind) ? [[nameOf(object), object] as const] : [])),
  );
  const subjects: VerifiedSubject[] = [];
  const unhashed = new Set<string>();
  for (const object of hubObjects(resolution, target)) {
    const compute = computed.get(object.kind);
    if (compute === undefined || (names !== undefined && !isOneOf(names, object))) continue;
    const { name = '', namespace = '' } = object.metadata;
    const isClusterAddOn = object.kind === ocmKinds.managedClusterAddOn.kind;
    if (isClusterAddOn && waiting.get(name)?.has(namespace) === true) continue;
    const subject = nameOf(object);
    const all = differencesOf(compute, object, onHub.get(subject));
    // The manager of an add-on without a template sets the hashes, and need not run.
    const isManaged = resolution.configuration.get(name)?.template === false;
    const differences = isManaged ? all.filter((each) => !isMissingHash(each)) : all;
    if (differences.length < all.length) unhashed.add(name);
    subjects.push({ kind: 'state', subject, answers: 1, disagreements: disagreementsOf(differences) });
  }
  return {
    subjects: subjects.sort((a, b) => compareUtf8(a.subject, b.subject)),
    unasked: [...unhashed].sort(compareUtf8).map((addOn) => ({
      what: `hashes of the configurations of add-on ${addOn}`,
      why: 'its manager, which sets them, has not done so',
    })),
  };
}

function isOneOf({ addOns, placements }: ComparedNames, { kind, metadata }: KubernetesObject): boolean {
  const { name = '', namespace, labels } = metadata;
  if (kind !== ocmKinds.placementDecision.kind) return addOns.has(name);
  return placements.has(objectKey(namespace, labels?.[placementLabel] ?? ''));
}

function isMissingHash({ part, answered }: Difference): boolean {
  return part.endsWith('.specHash') && answered === '';
}

/** The configuration that the hub wants. What is applied lags behind during a rollout. */
function reference(value: unknown): JsonMap {
  const desired = fieldOf(value, 'desiredConfig');
  const namespace = fieldOf(desired, 'namespace') ?? '';
  return {
    group: fieldOf(value, 'group') ?? '',
    resource: fieldOf(value, 'resource'),
    name: fieldOf(desired, 'name'),
    ...(namespace !== '' && { namespace }),
    specHash: fieldOf(desired, 'specHash') ?? '',
  };
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

function listOf(value: unknown, field: string): readonly unknown[] {
  const list = fieldOf(value, field);
  return isJsonList(list) ? list : [];
}

function fieldOf(value: unknown, field: string): unknown {
  return isJsonMap(value) ? value[field] : undefined;
}
