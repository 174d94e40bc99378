import type { ReadAddOn, ReadClass, Reading } from '../../../src/controller/status/reading.ts';

/** Clusters of one cause, such as `different manifest-conflict: c1 c2`. */
export function classOf(text: string, since?: string): ReadClass {
  const [, state = '', code = '', clusters = ''] = /^(.*) (\S+): (.*)$/.exec(text) ?? [];
  const cause = { code, message: `the message of ${code}` };
  return { state, cause, clusters: clusters.split(' '), ...(since !== undefined && { since }) };
}

/** An add-on on some clusters that are as predicted, and on those of the classes. */
export function addOnWith(addOn: string, asPredicted: number, ...classes: readonly ReadClass[]): ReadAddOn {
  const counts: Record<string, number> = {
    'as predicted': asPredicted,
    'on the way': 0,
    different: 0,
    unhealthy: 0,
  };
  for (const { state, clusters } of classes) counts[state] = (counts[state] ?? 0) + clusters.length;
  return { addOn, counts, classes };
}

export function readingOf(...addOns: readonly ReadAddOn[]): Reading {
  return { addOns, notInGit: [], unread: [] };
}
