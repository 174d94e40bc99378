import { addToGroup } from '../../../base/collections/groups.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { writerOf, type Writer } from '../../../ocm/clusters/two-writers.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports workloads that an autoscaler among the manifests for the cluster scales, and that the agent scales back. With strategy Update
 * the agent sends the whole object, so that a manifest without replicas sets one replica.
 */
export const scaledReplicas: Rule = {
  codes: ['FW8317'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const scalers = new Map<string, Scaler[]>();
    for (const scaler of scalersIn(deliveries)) addToGroup(scalers, scaler.target, scaler);
    return tally(scalers.size === 0 ? [] : deliveries.flatMap((delivery) => [...scaled(delivery, scalers)]));
  },
};

/** An object that scales a workload on some clusters. */
interface Scaler {
  readonly target: string;
  /** `HorizontalPodAutoscaler shop/web`. */
  readonly words: string;
  readonly clusters: ReadonlySet<string>;
}

const scalable: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

/** Kinds that scale the target of `spec.scaleTargetRef`, with the kind of a target that names none. */
const scalerKinds: Readonly<Record<string, string | undefined>> = {
  'autoscaling/HorizontalPodAutoscaler': '',
  // KEDA creates a HorizontalPodAutoscaler for it
  'keda.sh/ScaledObject': 'Deployment',
};

const scalersIn = oncePerPart((part: readonly Delivery[]) =>
  part.flatMap(({ objects, clusters }) =>
    objects.flatMap((manifest): readonly Scaler[] => {
      const target = targetOf(manifest);
      return target === undefined ? [] : [{ target, words: manifest.words, clusters: new Set(clusters) }];
    }),
  ),
);

function targetOf({ kindKey, object: { spec }, resource }: DeliveredManifest): string | undefined {
  const otherwise = scalerKinds[kindKey];
  const target = isJsonMap(spec) ? spec['scaleTargetRef'] : undefined;
  if (otherwise === undefined || !isJsonMap(target)) return undefined;
  const { kind = otherwise, name } = target;
  return `${resource.namespace}/${String(kind)}/${String(name)}`;
}

function* scaled(delivery: Delivery, scalers: ReadonlyMap<string, readonly Scaler[]>): Iterable<Tallied> {
  const { objects, options, clusters } = delivery;
  if (!isReported(delivery)) return;
  for (const { kind, kindKey, object, resource, words, path } of objects) {
    if (!scalable.has(kind) || resource.group !== 'apps') continue;
    const [scaler, on] = scalerOn(clusters, scalers.get(`${resource.namespace}/${kind}/${resource.name}`));
    if (scaler === undefined) continue;
    const outcome = outcomeOf(writerOf(options, resource, kindKey, object));
    if (outcome === undefined) continue;
    const { spec } = object;
    const hasReplicas = isJsonMap(spec) && spec['replicas'] !== undefined;
    yield found('FW8317', delivery, {
      path: hasReplicas ? [...path, 'spec', 'replicas'] : path,
      message: `${scaler.words} and the work agent both set the replicas of ${words}: the agent ${outcome}`,
      hint: 'remove spec.replicas, and add an entry to manifestConfigs with updateStrategy ServerSideApply for this object',
      clusters: on.length,
    });
  }
}

/** Returns the first object that scales a workload on some of the clusters, with these clusters. */
function scalerOn(
  clusters: readonly string[],
  scalers: readonly Scaler[] = [],
): readonly [Scaler | undefined, readonly string[]] {
  for (const scaler of scalers) {
    const on = clusters.filter((cluster) => scaler.clusters.has(cluster));
    if (on.length > 0) return [scaler, on];
  }
  return [undefined, []];
}

/**
 * Returns what the agent does with the replicas that the autoscaler has set. Undefined if it leaves them. The autoscaler becomes the
 * manager of the field, so that an apply without force conflicts with it. As ScaleREST of the workloads.
 */
function outcomeOf({ strategy, apply, manifest: { spec } }: Writer): string | undefined {
  const hasReplicas = isJsonMap(spec) && spec['replicas'] !== undefined;
  if (strategy === 'Update')
    return hasReplicas ? 'sets those of the manifest' : 'sets one, because the manifest has none';
  if (strategy !== 'ServerSideApply' || !hasReplicas) return undefined;
  if (apply.isForced)
    return `sets those of the manifest${apply.ignoresFields ? ' when the manifest changes' : ''}`;
  return `is refused with a conflict${apply.ignoresFields ? ' when the manifest changes' : ''}, once the autoscaler has changed them`;
}
