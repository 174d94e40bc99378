import { isDeepStrictEqual } from 'node:util';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { HeldAddOn } from '../../workspace/inputs/committed-app.ts';
import { placementContents, placementHash } from '../decide/placement-content.ts';
import type { Promotion } from '../decide/promotion.ts';

/**
 * Whether a promotion explains an add-on of a committed output: each of its placements has the content of the earlier output, of the
 * release in progress, or of the sources. Otherwise the list of what the promotion holds back could hide what the merge changes.
 */
export function isExplained(
  promotion: Promotion | undefined,
  { committed, earlier, ofSources }: HeldAddOn,
): boolean {
  if (promotion === undefined) return false;
  const released = new Map(
    (promotion.status.release?.waves ?? [])
      .flat()
      .flatMap(({ addOn, placement, configs }) =>
        addOn === committed.metadata.name && placement !== undefined ? [[placement, configs] as const] : [],
      ),
  );
  const known = [placementContents(ofSources), earlier && placementContents(earlier), released];
  const contents = [...placementContents(committed)];
  const entriesOfSources = new Map(entriesOf(ofSources));
  const areKnown = contents.every(([placement, configs]) =>
    known.some((each) => {
      const expected = each?.get(placement);
      return expected !== undefined && placementHash(expected) === placementHash(configs);
    }),
  );
  // A promotion holds back nothing else of a placement than its configurations.
  return (
    areKnown &&
    entriesOf(committed).every(([placement, entry]) =>
      isDeepStrictEqual(entry, entriesOfSources.get(placement)),
    )
  );
}

/** Returns the placements of an install strategy without their configurations. */
function entriesOf(addOn: KubernetesObject): readonly (readonly [string, object])[] {
  const { spec } = addOn;
  const strategy = isJsonMap(spec) ? spec['installStrategy'] : undefined;
  const placements = isJsonMap(strategy) ? strategy['placements'] : undefined;
  const keys = [...placementContents(addOn).keys()];
  return (isJsonList(placements) ? placements : [])
    .filter(isJsonMap)
    .map(({ configs: _, ...entry }, index) => [keys[index] ?? '', entry]);
}
