import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { usedVariables } from './used-variables.ts';

/**
 * Reports values that JSON reads differently from how they are written. The hub inserts them into the manifest's JSON text
 * unescaped.
 */
export const unescapedValue: Rule = {
  codes: ['FW7103'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(valuesOf);

function* valuesOf(group: RenderGroup): Iterable<Tallied> {
  for (const { config, index, name, value, key } of usedVariables(group)) {
    if (!/["\\]/.test(value)) continue;
    yield {
      key,
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7103', {
          message: `the value of "${name}" is inserted into JSON text unchanged, so JSON reads ${misreading(value)} on ${clusterCount(clusters)}`,
          ...pointAt(config, ['spec', 'customizedVariables', index, 'value']),
          hint: 'to use it literally, escape it: \\" for a quotation mark, \\\\ for a backslash',
        }),
    };
  }
}

function misreading(value: string): string {
  return /(?<!\\)(?:\\\\)*"/.test(value)
    ? 'its quotation marks as the end of the text, and what follows as fields of the manifest'
    : 'its backslashes as escapes';
}
