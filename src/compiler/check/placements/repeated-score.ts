import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports prioritizer policies with the same add-on score twice. Unlike repeated built-in prioritizers, both count. */
export const repeatedScore: Rule = {
  codes: ['FW7012'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      const firsts = new Map<string, number>();
      for (const [index, { scoreCoordinate }] of (
        placement.object.spec.prioritizerPolicy?.configurations ?? []
      ).entries()) {
        const { type, addOn } = scoreCoordinate;
        if (type !== 'AddOn' || addOn === undefined) continue;
        const score = `${addOn.resourceName}/${addOn.scoreName}`;
        const first = firsts.get(score);
        firsts.set(score, first ?? index);
        if (first === undefined) continue;
        const path = ['spec', 'prioritizerPolicy', 'configurations', index];
        yield diagnostic('FW7012', {
          message: `score ${score} is listed twice, and the hub adds both weights`,
          ...pointAt(placement, path),
          hint: 'keep one of the two',
          related: [
            { message: 'the first one', location: placement.origin.locate([...path.slice(0, -1), first]) },
          ],
        });
      }
    }
  },
};
