import { isConfigOf } from '../../../ocm/clusters/manifest-options.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { templateOf } from '../../render/inputs.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount } from '../../model/words.ts';
import { isNamedBy, namedManifest } from '../named-manifest.ts';
import { renderedSample, templateKey } from './rendered-sample.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { tally, type Tallied } from './tally.ts';

/**
 * Reports manifestConfigs entries that match no object of the works, for example after a move to another namespace. An entry with a
 * wildcard is meant for several objects, so it is reported only if no cluster gets one of them.
 */
export const unmatchedManifestConfig: Rule = {
  codes: ['FW7110'],
  check(input) {
    const entries = input.rendering.groups.flatMap((group) => [...entriesOf(group, input)]);
    const matched = new Set(entries.filter(({ isMatched }) => isMatched).map(({ key }) => key));
    return tally(
      entries.filter(({ key, isMatched, isWildcard }) => !isMatched && !(isWildcard && matched.has(key))),
    );
  },
};

/** An entry for the clusters of one class. */
interface Entry extends Tallied {
  readonly isMatched: boolean;
  readonly isWildcard: boolean;
}

function* entriesOf(group: RenderGroup, { configuration, inventory }: CheckInput): Iterable<Entry> {
  const addOn = configuration.get(group.addOn);
  if (addOn === undefined) return;
  const template = templateOf(addOn, addOn.defaultReferences, inventory);
  if ('error' in template) return;
  const { manifestConfigs = [] } = template.object.spec.agentSpec;
  if (manifestConfigs.length === 0) return;
  const objects = renderedSample(group);
  if (objects.length === 0) return;
  const manifests = objects.flatMap(({ object }) => namedManifest(object) ?? []);
  for (const [index, { resourceIdentifier }] of manifestConfigs.entries()) {
    const { resource, namespace, name } = resourceIdentifier;
    yield {
      key: templateKey({ ...group, template }, index),
      isMatched: manifests.some((manifest) => isNamedBy(resourceIdentifier, manifest, isConfigOf)),
      isWildcard: name.includes('*') || namespace?.includes('*') === true,
      clusters: group.clusters.length,
      tell: (clusters) =>
        diagnostic('FW7110', {
          message: `no object is ${resource} "${objectKey(namespace, name)}" on ${clusterCount(clusters)}, so this entry has no effect there`,
          ...pointAt(template, ['spec', 'agentSpec', 'manifestConfigs', index, 'resourceIdentifier']),
          hint: 'manifestConfigs do not support variables or the install namespace: use the name and namespace of the delivered object',
        }),
    };
  }
}
