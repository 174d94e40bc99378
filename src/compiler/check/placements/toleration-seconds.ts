import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** The longest time that a Go duration (64-bit nanoseconds) can hold: 292 years. */
const longest = 9_223_372_036;

/** Reports tolerations whose duration overflows, so that they expire immediately. */
export const tolerationSeconds: Rule = {
  codes: ['FW7017'],
  *check({ inventory }) {
    for (const placement of inventory.placements.values()) {
      for (const [index, { tolerationSeconds: seconds = 0 }] of (
        placement.object.spec.tolerations ?? []
      ).entries()) {
        if (seconds <= longest) continue;
        yield diagnostic('FW7017', {
          message: `tolerationSeconds ${seconds} exceeds the maximum of the hub, and overflows`,
          ...pointAt(placement, ['spec', 'tolerations', index, 'tolerationSeconds']),
          hint: `remove tolerationSeconds to tolerate the taint indefinitely; the maximum is ${longest}`,
        });
      }
    }
  },
};
