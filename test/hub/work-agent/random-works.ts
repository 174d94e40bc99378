import type { JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import type { Random } from '../differential/random.ts';
import { manifestPair, type ManifestPair } from './manifest-pairs.ts';
import { executors } from './granted-permissions.ts';

/** The two states of a work. */
export type Side = 'before' | 'after';

/** The cluster that gets the works. */
export const cluster = 'joined';

/** A work whose manifests are updated once. */
export interface RandomWork {
  readonly name: string;
  readonly pairs: readonly ManifestPair[];
  /** The fields of its spec that concern all manifests. */
  readonly options: JsonMap;
}

/** How many works to draw. */
interface WorkCount {
  /** A part of their names, and of those of their objects. */
  readonly round: string;
  /** The number of manifests in all. */
  readonly count: number;
  readonly perWork: number;
}

/** Returns random works. */
export function randomWorks(random: Random, { round, count, perWork }: WorkCount): readonly RandomWork[] {
  const pairs = Array.from({ length: count }, (_, index) => manifestPair(random, `${round}-${index}`));
  return Array.from({ length: Math.ceil(count / perWork) }, (_, index) => {
    const executor = random.maybe(0.35, () => random.pick(executors));
    return {
      name: `work-${round}-${index}`,
      pairs: pairs.slice(index * perWork, (index + 1) * perWork),
      options: {
        ...(executor !== undefined && {
          executor: {
            subject: {
              type: 'ServiceAccount',
              serviceAccount: { namespace: executor.namespace, name: executor.name },
            },
          },
        }),
        ...(random.chance(0.15) && { deleteOption: { propagationPolicy: 'Orphan' } }),
      },
    };
  });
}

/** Returns a work in one of its states, as the hub gets it. */
export function workOf({ name, pairs, options }: RandomWork, side: Side): KubernetesObject {
  return {
    ...reference(ocmKinds.manifestWork, name, cluster),
    spec: {
      workload: { manifests: pairs.map((pair) => pair[side]) },
      manifestConfigs: pairs.flatMap(({ config }) => (config === undefined ? [] : [config])),
      ...options,
    },
  };
}
