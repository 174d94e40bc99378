import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';

/** Reports prioritizers of scores that no AddOnPlacementScore of that name has. They count 0 on every cluster. */
export const missingScore: Rule = {
  codes: ['FW8336'],
  *check({ inventory }) {
    const scores = new Map<string, Set<string>>();
    for (const { object } of inventory.addOnPlacementScores.values()) {
      const names = scores.get(object.metadata.name ?? '') ?? new Set<string>();
      for (const { name } of object.status?.scores ?? []) names.add(name);
      scores.set(object.metadata.name ?? '', names);
    }
    for (const placement of inventory.placements.values()) {
      if (placement.source !== 'app') continue;
      const { configurations = [] } = placement.object.spec.prioritizerPolicy ?? {};
      for (const [index, { scoreCoordinate }] of configurations.entries()) {
        const { resourceName = '', scoreName = '' } = scoreCoordinate.addOn ?? {};
        const names = scores.get(resourceName);
        // agents write the objects, so that none may exist yet
        if (names === undefined || names.size === 0 || names.has(scoreName)) continue;
        const meant = closest(scoreName, names);
        yield diagnostic('FW8336', {
          message: `no AddOnPlacementScore ${quote(resourceName)} has a score ${quote(scoreName)}, so it counts 0 for every cluster`,
          ...pointAt(placement, [
            'spec',
            'prioritizerPolicy',
            'configurations',
            index,
            'scoreCoordinate',
            'addOn',
            'scoreName',
          ]),
          hint:
            meant === undefined
              ? `its scores are ${[...names].map(quote).join(', ')}`
              : `did you mean ${quote(meant)}?`,
        });
      }
    }
  },
};
