import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount } from '../../model/words.ts';
import { templateKey } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { isVariableName, templateTags } from './template-tag.ts';

/** Reports text in double braces that is not a variable, such as Helm, Go or Prometheus templates. The hub removes it. */
export const literalBraces: Rule = {
  codes: ['FW7102'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(bracesIn);

function* bracesIn(group: RenderGroup): Iterable<Tallied> {
  for (const { tag, path } of templateTags(group)) {
    if (isVariableName(tag)) continue;
    const name = tag.trim();
    yield {
      key: templateKey(group, ...path, tag),
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7102', {
          message: `the hub removes {{${shown(tag)}}} from the manifest on ${clusterCount(clusters)}: it is not a variable`,
          ...pointAt(group.template, path),
          hint: isVariableName(name)
            ? `write {{${name}}}, without spaces`
            : 'double braces cannot be escaped: put them into a variable, whose value is inserted unchanged',
        }),
    };
  }
}

/** Returns a tag for messages. It can span a large part of the manifest if its closing braces are missing. */
function shown(tag: string): string {
  return tag.length > 60 ? `${tag.slice(0, 60)}…` : tag;
}
