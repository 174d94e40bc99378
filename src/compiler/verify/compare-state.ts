import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { TargetHub } from '../admit/conversion/for-hub.ts';
import { compareValues } from '../compare/compare-values.ts';
import { hubObjects } from '../hub-objects.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import type { Difference, Unasked, VerifiedSubject } from './verification.ts';

/** Maximum number of differences per object. */
const mostDifferences = 5;

/** Returns the parts of an object that the hub computes from its inputs alone: no times, no progress. */
type Compute = (object: KubernetesObject) => JsonMap;

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

/**
 * Compares what a hub has computed for the objects that it has with what is predicted for them: decisions, configurations with their
 * hashes, registrations.
 *
 * @param resolution - the prediction for the objects of the hub
 * @param held - the objects of the hub, with their statuses
 */
export function compareState(
  resolution: Resolution,
  target: TargetHub,
  held: readonly KubernetesObject[],
): { readonly subjects: readonly VerifiedSubject[]; readonly unasked: readonly Unasked[] } {
  const onHub = new Map(
    held.flatMap((object) => (computed.has(object.kind) ? [[nameOf(object), object] as const] : [])),
  );
  const subjects: VerifiedSubject[] = [];
  const unhashed = new Set<string>();
  for (const object of hubObjects(resolution, target)) {
    const compute = computed.get(object.kind);
    if (compute === undefined) continue;
    const subject = nameOf(object);
    const all = differencesOf(compute, object, onHub.get(subject));
    // The manager of an add-on without a template sets the hashes, and need not run.
    const addOn = object.metadata.name ?? '';
    const isManaged = resolution.configuration.get(addOn)?.template === false;
    const differences = isManaged ? all.filter((each) => !isMissingHash(each)) : all;
    if (differences.length < all.length) unhashed.add(addOn);
    const disagreements =
      differences.length === 0 ? [] : [{ differences: differences.slice(0, mostDifferences) }];
    subjects.push({ kind: 'state', subject, answers: 1, disagreements });
  }
  return {
    subjects: subjects.sort((a, b) => compareUtf8(a.subject, b.subject)),
    unasked: [...unhashed].sort(compareUtf8).map((addOn) => ({
      what: `hashes of the configurations of add-on ${addOn}`,
      why: 'its manager, which sets them, has not done so',
    })),
  };
}

function isMissingHash({ part, answered }: Difference): boolean {
  return part.endsWith('.specHash') && answered === '';
}

function differencesOf(
  compute: Compute,
  predicted: KubernetesObject,
  answered: KubernetesObject | undefined,
): readonly Difference[] {
  if (answered === undefined) return [{ part: 'object', predicted: 'exists', answered: 'does not exist' }];
  return compareValues(compute(predicted), compute(answered)).map(({ path, before, after }) => ({
    part: path,
    predicted: textOf(before),
    answered: textOf(after),
  }));
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

function textOf(value: unknown): string {
  if (value === undefined) return 'no such value';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
