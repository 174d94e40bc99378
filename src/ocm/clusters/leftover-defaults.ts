import type { JsonMap } from '../../base/json/json-map.ts';
import { mapAt, valueAt, type RefusedChange } from './refused-change.ts';

/** A map that belongs to one value of another field, and in which the API server writes defaults. */
interface DependentMap {
  readonly path: string;
  /** The fields in it that have a default. */
  readonly defaults: readonly string[];
  /** The field that it depends on. */
  readonly decider: string;
  /** The value to which the map belongs, which is the default. */
  readonly value: string;
  /** The value with which the API server refuses the map. */
  readonly refusing: string;
}

/** By `group/Kind`. As the defaults of Kubernetes with ValidateDeploymentStrategy and ValidateStatefulSetSpec. */
const dependentMaps: Readonly<Record<string, DependentMap>> = {
  'apps/Deployment': {
    path: 'spec.strategy.rollingUpdate',
    defaults: ['maxUnavailable', 'maxSurge'],
    decider: 'spec.strategy.type',
    value: 'RollingUpdate',
    refusing: 'Recreate',
  },
  'apps/StatefulSet': {
    path: 'spec.updateStrategy.rollingUpdate',
    defaults: ['partition'],
    decider: 'spec.updateStrategy.type',
    value: 'RollingUpdate',
    refusing: 'OnDelete',
  },
};

/**
 * Returns the changes that the API server rejects with server-side apply, because defaults that it wrote stay: no manager owns them, so
 * that none removes them.
 *
 * @param key - `group/Kind`
 */
export function leftoverDefaults(key: string, before: JsonMap, after: JsonMap): readonly RefusedChange[] {
  const dependent = dependentMaps[key];
  if (dependent === undefined) return [];
  const { path, defaults, decider, value, refusing } = dependent;
  const [from, to] = [before, after].map((manifest) => valueAt(manifest, decider) ?? value);
  const written = mapAt(before, path);
  const isLeft = defaults.some((field) => valueAt(written, field) === undefined);
  if (from !== value || to !== refusing || !isLeft) return [];
  return [
    {
      words: `${decider} cannot become ${refusing} with ServerSideApply, because the defaults in ${path} stay`,
      hint: `use the update strategy Update for this change; or write all fields of ${path} in one change, and remove it in the next`,
    },
  ];
}
