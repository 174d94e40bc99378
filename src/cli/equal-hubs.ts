import { compareHubs, type Diagnostic, type HubProfile, unequalHubs } from '../compiler/index.ts';
import type { EqualHubs } from '../workspace/settings/hubs.ts';

/**
 * Checks the hubs that must be equal. Hubs without a profile are left out: they were not selected, or one of the states does not
 * have them.
 *
 * @param equal - the lists of hubs; the others of a list are compared with the first one
 * @param by - the labels of the profiles
 */
export function checkEqualHubs(
  equal: readonly EqualHubs[],
  profiles: ReadonlyMap<string, HubProfile>,
  by: readonly string[],
): readonly Diagnostic[] {
  return equal.flatMap(({ value, location }) => {
    const named = value.flatMap((hub) => {
      const profile = profiles.get(hub);
      // A hub without clusters has no effective configuration. Its missing fleet is reported.
      return profile === undefined || profile.clusters.size === 0 ? [] : [{ hub, profile }];
    });
    const [first, ...others] = named;
    if (first === undefined) return [];
    return unequalHubs(
      others.map((other) => {
        const { hubs, addOns } = compareHubs(first, other, by);
        return { hubs, addOns, location };
      }),
    );
  });
}
