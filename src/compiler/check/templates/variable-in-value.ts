import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { usedVariables } from './used-variables.ts';

/**
 * Reports variables in the value of another variable. The hub replaces variables only in the manifest, and only once. Other
 * braces in a value are ignored: users write them there to pass them through the hub.
 */
export const variableInValue: Rule = {
  codes: ['FW7129'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(valuesOf);

function* valuesOf(group: RenderGroup): Iterable<Tallied> {
  for (const { config, index, name, value, values, key } of usedVariables(group)) {
    const inner = tagsIn(value).find((tag) => values.has(tag));
    if (inner === undefined) continue;
    yield {
      key,
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7129', {
          message: `the hub does not replace variables in the value of "${name}", so {{${inner}}} remains unchanged on ${clusterCount(clusters)}`,
          ...pointAt(config, ['spec', 'customizedVariables', index, 'value']),
          hint: `write {{${inner}}} into the template beside {{${name}}}, or its value into this one`,
        }),
    };
  }
}

/** Returns the text between `{{` and `}}` on one line. A regular expression would take quadratic time. */
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
