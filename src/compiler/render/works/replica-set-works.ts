import { compareText } from '../../../base/collections/compare-text.ts';
import type { ManifestWorkV1, ManifestWorkV1Spec } from '../../../../schemas/types.gen.ts';
import type { GoJsonValue } from '../../../base/json/go-json.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
import type { Decisions } from '../../place/decision.ts';
import { replicaSetReach, replicaSets, replicaSetSpec } from '../../rollout/replica-set.ts';
import { labelValueErrors } from '../../../base/names/name-errors.ts';
import { convertTyped } from '../../../base/typed/typed-conversion.ts';
import { admitWork, workApiVersion, type AdmittedWork } from './works.ts';

/** The label of a work with its ManifestWorkReplicaSet, as `namespace.name`. */
const replicaSetLabel = 'work.open-cluster-management.io/manifestworkreplicaset';
/** The label of a work with the name of the Placement for which a ManifestWorkReplicaSet created it. */
const placementNameLabel = 'work.open-cluster-management.io/placementname';

/**
 * Yields the works of all ManifestWorkReplicaSets, sorted by the name of the set, then by cluster. Yields one at a time, as
 * `hubObjects`.
 */
export function* replicaSetWorks(
  inventory: Inventory,
  decisions: Decisions,
  hub: Pick<HubVersion, 'generatesWorkNames'>,
): Generator<ManifestWorkV1> {
  const sets = new Map(replicaSets(inventory).map((set) => [nameOf(set), set]));
  for (const [, set] of [...sets].sort(([a], [b]) => compareText(a, b))) {
    const makeWork = worksOf(set, hub);
    for (const [cluster, placements] of replicaSetReach(set, decisions, inventory, hub).clusters) {
      for (const placement of placements) {
        const work = makeWork(cluster, placement);
        if ('work' in work) yield work.work;
      }
    }
  }
}

/**
 * As buildManifestWork of OCM's manifestworkreplicasetcontroller, followed by the API server's changes. A work with a generated name has
 * none here, because its end is random.
 */
export function worksOf(
  set: Admitted,
  { generatesWorkNames }: Pick<HubVersion, 'generatesWorkNames'>,
): (cluster: string, placement: string) => AdmittedWork {
  const { metadata } = set.object;
  const { name = '', namespace = '', labels } = metadata;
  const template = replicaSetSpec(set).manifestWorkTemplate ?? {};
  const spec = convertTyped('ManifestWorkSpec', template as GoJsonValue) as ManifestWorkV1Spec | undefined;
  const identity = `${namespace}.${name}`;
  const [fault] = labelValueErrors(identity);
  if (fault !== undefined) {
    const error = `metadata.labels: the label ${replicaSetLabel} would be "${identity}", which ${fault}`;
    return () => ({ error, path: ['metadata', 'name'] });
  }
  return (cluster, placement) =>
    admitWork({
      apiVersion: workApiVersion,
      kind: 'ManifestWork',
      metadata: {
        ...(generatesWorkNames ? { generateName: name } : { name }),
        namespace: cluster,
        labels: { ...labels, [replicaSetLabel]: identity, [placementNameLabel]: placement },
      },
      spec: spec ?? {},
    });
}

function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}
