import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { templateOf } from '../../render/inputs.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { guessResource } from '../../../base/names/resource-name.ts';
import { clusterCount } from '../../model/words.ts';
import { renderedSample, templateKey } from './rendered-sample.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { tally, type Tallied } from './tally.ts';

/** Reports manifestConfigs entries that match no object of the works, for example after a move to another namespace. */
export const unmatchedManifestConfig: Rule = {
  codes: ['FW7110'],
  check: (input) => tally(input.rendering.groups.flatMap((group) => [...unmatchedIn(group, input)])),
};

function* unmatchedIn(group: RenderGroup, { configuration, inventory }: CheckInput): Iterable<Tallied> {
  const addOn = configuration.get(group.addOn);
  if (addOn === undefined) return;
  const template = templateOf(addOn, addOn.defaultReferences, inventory);
  if ('error' in template || (template.object.spec.agentSpec.manifestConfigs ?? []).length === 0) return;
  const objects = renderedSample(group);
  if (objects.length === 0) return;
  const identifiers = new Set(
    objects.map(({ object }) => {
      const { group: apiGroup, kind } = groupVersionKind(object);
      return identifier(apiGroup, guessResource(kind), namespaceOf(object), nameOf(object));
    }),
  );
  for (const [index, { resourceIdentifier }] of (
    template.object.spec.agentSpec.manifestConfigs ?? []
  ).entries()) {
    const { group: apiGroup = '', resource, namespace = '', name } = resourceIdentifier;
    // a work agent matches any name with *
    if (name.includes('*') || namespace.includes('*')) continue;
    if (identifiers.has(identifier(apiGroup, resource, namespace, name))) continue;
    yield {
      key: templateKey({ ...group, template }, index),
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7110', {
          message: `no object is ${resource} "${namespace === '' ? '' : `${namespace}/`}${name}" on ${clusterCount(clusters)}, so this entry has no effect there`,
          ...pointAt(template, ['spec', 'agentSpec', 'manifestConfigs', index, 'resourceIdentifier']),
          hint: 'manifestConfigs do not support variables or the install namespace: use the name and namespace of the delivered object',
        }),
    };
  }
}

function identifier(group: string, resource: string, namespace: string, name: string): string {
  return [group, resource, namespace, name].join('/');
}
