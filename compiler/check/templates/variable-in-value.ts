import { pointAt } from '../../point-at.ts';
import type { RenderGroup } from '../../render/rendering.ts';
import { clusterCount } from '../../words.ts';
import type { Rule } from '../rule.ts';
import { tally, type Tallied } from './tally.ts';
import { usedVariables } from './used-variables.ts';

/**
 * A variable in the value of another. The hub replaces variables in the manifest only, and once. Other braces in a value
 * are left alone: that is how they get past the hub.
 */
export const variableInValue: Rule = ({ rendering }) =>
  tally(rendering.groups.flatMap((group) => [...valuesOf(group)]));

function* valuesOf(group: RenderGroup): Iterable<Tallied> {
  for (const { config, index, name, value, values, key } of usedVariables(group)) {
    const inner = tagsIn(value).find((tag) => values.has(tag));
    if (inner === undefined) continue;
    yield {
      key,
      clusters: group.clusters.length,
      tell: (clusters) => ({
        code: 'FW7129',
        severity: 'warning',
        message: `the hub does not look for variables in the value of "${name}", so {{${inner}}} stays as it is on ${clusterCount(clusters)}`,
        ...pointAt(config, ['spec', 'customizedVariables', index, 'value']),
        hint: `write {{${inner}}} into the template beside {{${name}}}, or its value into this one`,
      }),
    };
  }
}

/** What is between `{{` and `}}` on one line. A regular expression takes the square of the text's length. */
export function tagsIn(text: string): readonly string[] {
  const tags: string[] = [];
  let start = text.indexOf('{{');
  let [close, lineEnd] = [0, 0];
  while (start >= 0) {
    const from = start + 2;
    if (close < from) close = text.indexOf('}}', from);
    if (close < 0) break;
    if (lineEnd >= 0 && lineEnd < from) lineEnd = text.indexOf('\n', from);
    const isOnOneLine = lineEnd < 0 || lineEnd > close;
    if (isOnOneLine) tags.push(text.slice(from, close));
    start = text.indexOf('{{', isOnOneLine ? close + 2 : start + 1);
  }
  return tags;
}
