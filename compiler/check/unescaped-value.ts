import { pointAt } from '../place/point-at.ts';
import type { RenderGroup } from '../render/rendering.ts';
import { renderedSample } from './rendered-sample.ts';
import type { Rule } from './rule.ts';
import { clusterCount, tally, type Tallied } from './tally.ts';

/** A value that JSON does not read as it is written: it stands in the manifest's JSON text unescaped. */
export const unescapedValue: Rule = ({ rendering }) =>
  tally(rendering.groups.flatMap((group) => [...valuesOf(group)]));

function* valuesOf(group: RenderGroup): Iterable<Tallied> {
  const { config, manifests, clusters } = group;
  // what JSON cannot read at all stops the render, which FW6001 tells
  if (config === undefined || renderedSample(group).length === 0) return;
  const used = new Set(manifests.texts.flatMap(({ tags }) => tags));
  const { values } = manifests.variables(clusters[0] ?? '') ?? {};
  for (const [index, { name, value = '' }] of (config.object.spec.customizedVariables ?? []).entries()) {
    if (!used.has(name) || values?.get(name) !== value || !/["\\]/.test(value)) continue;
    const { namespace = '', name: configName = '' } = config.object.metadata;
    yield {
      key: `${namespace}/${configName}/${index}`,
      clusters: clusters.length,
      tell: (clusters) => ({
        code: 'FW7103',
        severity: 'warning',
        message: `the value of "${name}" is inserted into JSON text as it is, so JSON reads ${found(value)} on ${clusterCount(clusters)}`,
        ...pointAt(config, ['spec', 'customizedVariables', index, 'value']),
        hint: 'where it is meant literally, escape it: \\" for a quotation mark, \\\\ for a backslash',
      }),
    };
  }
}

function found(value: string): string {
  return /(?<!\\)(?:\\\\)*"/.test(value)
    ? 'its quotation marks as the end of the text, and what follows as fields of the manifest'
    : 'its backslashes as escapes';
}
