import { isJsonMap } from '../../../base/json/json-map.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { talliedPerPart, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports workloads that a HorizontalPodAutoscaler among the same manifests scales, and that the agent scales back. With strategy
 * Update the agent sends the whole object, so that a manifest without replicas sets one replica.
 */
export const scaledReplicas: Rule = {
  codes: ['FW8317'],
  check: (input) => findings(deliveriesOf(input)),
};

const scalable: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet']);

const findings = talliedPerPart(scaled);

function* scaled(delivery: Delivery): Iterable<Tallied> {
  const { objects, options, clusters } = delivery;
  if (!isReported(delivery)) return;
  const targets = new Map(
    objects
      .filter(({ kindKey }) => kindKey === 'autoscaling/HorizontalPodAutoscaler')
      .flatMap((autoscaler) => {
        const target = targetOf(autoscaler);
        return target === undefined ? [] : [[target, autoscaler] as const];
      }),
  );
  if (targets.size === 0) return;
  for (const { kind, object, resource, words, path } of objects) {
    if (!scalable.has(kind) || resource.group !== 'apps') continue;
    const autoscaler = targets.get(`${resource.namespace}/${kind}/${resource.name}`);
    if (autoscaler === undefined) continue;
    const strategy = updateStrategyOf(options, resource);
    const { spec } = object;
    const hasReplicas = isJsonMap(spec) && spec['replicas'] !== undefined;
    if (strategy !== 'Update' && !(strategy === 'ServerSideApply' && hasReplicas)) continue;
    yield found('FW8317', delivery, {
      path: hasReplicas ? [...path, 'spec', 'replicas'] : path,
      message: `${autoscaler.words} and the work agent both set the replicas of ${words}: the agent sets ${hasReplicas ? 'those of the manifest' : 'one, because the manifest has none'}`,
      hint: 'remove spec.replicas, and add an entry to manifestConfigs with updateStrategy ServerSideApply for this object',
      clusters: clusters.length,
    });
  }
}

function targetOf({ object, resource }: DeliveredManifest): string | undefined {
  const { spec } = object;
  const target = isJsonMap(spec) ? spec['scaleTargetRef'] : undefined;
  if (!isJsonMap(target)) return undefined;
  return `${resource.namespace}/${String(target['kind'])}/${String(target['name'])}`;
}
