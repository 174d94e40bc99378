import { diagnostic } from '../../model/diagnostic.ts';
import {
  isGoJsonList,
  isGoJsonObject,
  type GoJsonObject,
  type GoJsonValue,
} from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount, quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { objectWords, renderedSample, templateKey } from './rendered-sample.ts';
import { talliedPerPart, type Tallied } from './tally.ts';
import { containersOf } from './unmatched-container.ts';

/**
 * Reports environment variables that a template sets and that the hub also adds to every container. As OCM's
 * environmentDecorator, which appends without checking existing variables. kubelet uses the last one.
 */
export const repeatedEnvironment: Rule = {
  codes: ['FW7138'],
  check: ({ rendering }) => findings(rendering.groups),
};

const findings = talliedPerPart(repeatedIn);

function* repeatedIn(group: RenderGroup): Iterable<Tallied> {
  const { manifests = [] } = group.template.object.spec.agentSpec.workload ?? {};
  for (const { object, workload, manifest } of renderedSample(group)) {
    if (workload === undefined || manifest === undefined) continue;
    const containers = containersOf(manifests[manifest] as unknown as GoJsonObject);
    for (const [position, container] of containersOf(object).entries()) {
      const templateVariables = variablesOf(containers[position]);
      const added = variablesOf(container).slice(templateVariables.length);
      for (const [index, variable] of templateVariables.entries()) {
        const { name } = variable;
        const again = added.find((other) => other['name'] === name);
        if (again === undefined || typeof name !== 'string') continue;
        const value = text(again['value']);
        const path = ['spec', 'template', 'spec', 'containers', position, 'env', index];
        yield {
          key: templateKey(group, manifest, position, name),
          clusters: group.clusters.length,
          tell: (clusters) =>
            diagnostic('FW7138', {
              message: `the hub adds ${name} to container ${quote(text(container['name']))} of ${objectWords(object)} as well, on ${clusterCount(clusters)}: its value ${quote(value)} replaces that of the template`,
              ...pointAt(group.template, ['spec', 'agentSpec', 'workload', 'manifests', manifest, ...path]),
              hint: 'remove it from the template: the hub sets it in every container',
            }),
        };
      }
    }
  }
}

function variablesOf(container: GoJsonObject | undefined): readonly GoJsonObject[] {
  const variables = container?.['env'];
  return isGoJsonList(variables) ? variables.filter(isGoJsonObject) : [];
}

function text(value: GoJsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
