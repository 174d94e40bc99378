import type {
  ManagedClusterV1Taint,
  PlacementV1beta1,
  PlacementV1beta1Toleration,
} from '../../../schemas/types.gen.ts';
import { formatTime } from '../../base/time/rfc3339.ts';
import { compileTolerations, judgeTaint, type CompiledToleration } from '../place/taints.ts';

/** Whether clusters with a taint are selected: always, if they already were, or never. */
export type Toleration = 'always' | 'while selected' | 'never';

const effects = ['NoSelect', 'NoSelectIfNew'] as const;
const unnamed = 'fleetwright.dev/unnamed';

/** Returns the tolerations of a placement; undefined if the hub rejects them. */
export function tolerationsOf(placement: PlacementV1beta1): readonly CompiledToleration[] | undefined {
  const compiled = compileTolerations(placement.spec.tolerations ?? []);
  return 'message' in compiled ? undefined : compiled;
}

/** Returns whether a placement selects clusters with a taint. `now` is in milliseconds since 1970. */
export function tolerates(
  tolerations: readonly CompiledToleration[],
  taint: ManagedClusterV1Taint,
  now: number,
): Toleration {
  if (judgeTaint(taint, tolerations, false, now).accepted) return 'always';
  return judgeTaint(taint, tolerations, true, now).accepted ? 'while selected' : 'never';
}

/** The classes of taints that the tolerations of some placements cannot distinguish. */
export interface TaintClasses {
  /** One taint of each class, without the class that all placements tolerate. */
  readonly taints: readonly ManagedClusterV1Taint[];
  /** Returns the position of a taint's class; undefined if all placements tolerate it. */
  classOf(taint: ManagedClusterV1Taint): number | undefined;
}

/**
 * Divides taints into classes. A taint that was just added meets all tolerations with a time limit; it leaves them one by one as it
 * gets older.
 *
 * @param present - the taints of the fleet
 */
export function taintClasses(
  placements: readonly PlacementV1beta1[],
  now: number,
  present: readonly ManagedClusterV1Taint[] = [],
): TaintClasses {
  const all = placements.map((placement) => tolerationsOf(placement) ?? []);
  const verdictsOn = (taint: ManagedClusterV1Taint): readonly Toleration[] =>
    all.map((tolerations) => tolerates(tolerations, taint, now));
  const written = placements.flatMap(({ spec }) => spec.tolerations ?? []);
  const classes = new Map<string, ManagedClusterV1Taint>();
  for (const taint of [...candidates(written, now), ...present]) {
    const verdicts = verdictsOn(taint);
    const key = verdicts.join();
    if (verdicts.some((verdict) => verdict !== 'always') && !classes.has(key)) classes.set(key, taint);
  }
  const keys = [...classes.keys()];
  return {
    taints: [...classes.values()],
    classOf: (taint) => {
      const position = keys.indexOf(verdictsOn(taint).join());
      return position < 0 ? undefined : position;
    },
  };
}

function* candidates(
  written: readonly PlacementV1beta1Toleration[],
  now: number,
): Iterable<ManagedClusterV1Taint> {
  const keys = new Set([unnamed, ...written.flatMap(({ key = '' }) => (key === '' ? [] : [key]))]);
  const values = new Set([
    '',
    unnamed,
    ...written.flatMap(({ value = '' }) => (value === '' ? [] : [value])),
  ]);
  const limits = written.flatMap(({ tolerationSeconds }) => {
    const at = now - (tolerationSeconds ?? 0) * 1000;
    return at > 0 && at < now ? [formatTime(at)] : [];
  });
  // the last: as of a taint that no toleration remembers
  const times = new Set([formatTime(now), ...limits, '1970-01-01T00:00:00Z']);
  for (const effect of effects)
    for (const key of keys)
      for (const value of values)
        for (const timeAdded of times) yield { key, ...(value !== '' && { value }), effect, timeAdded };
}
