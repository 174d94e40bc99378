import { diagnostic } from '../../model/diagnostic.ts';
import { goJson } from '../../../base/json/go-json.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { templateOf } from '../../render/inputs.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { clusterCount } from '../../model/words.ts';
import { templateKey } from './rendered-sample.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { tally, type Tallied } from './tally.ts';

/** Reports manifestConfigs of a template that is not the default template of its add-on. The hub never reads them. */
export const templateManifestConfigs: Rule = {
  codes: ['FW7109'],
  check: (input) => tally(input.rendering.groups.flatMap((group) => [...unreadIn(group, input)])),
};

function* unreadIn(group: RenderGroup, { configuration, inventory }: CheckInput): Iterable<Tallied> {
  const templateConfigs = group.template.object.spec.agentSpec.manifestConfigs ?? [];
  if (templateConfigs.length === 0) return;
  const standard = defaultTemplate(configuration.get(group.addOn), inventory);
  if (goJson(standard?.spec.agentSpec.manifestConfigs ?? []) === goJson(templateConfigs)) return;
  const name = standard?.metadata.name;
  yield {
    key: templateKey(group, group.addOn),
    clusters: group.clusters.length,
    tell: (clusters) =>
      diagnostic('FW7109', {
        message: `the hub ignores these manifestConfigs on ${clusterCount(clusters)}: those of add-on "${group.addOn}" come from ${name === undefined ? 'its default template, and it has none' : `its default template "${name}"`}`,
        ...pointAt(group.template, ['spec', 'agentSpec', 'manifestConfigs']),
        hint:
          name === undefined
            ? 'make this template the default in the ClusterManagementAddOn'
            : 'write the same manifestConfigs into the default template',
      }),
  };
}

function defaultTemplate(
  addOn: ResolvedAddOn | undefined,
  inventory: Inventory,
): RenderGroup['template']['object'] | undefined {
  if (addOn === undefined) return undefined;
  const template = templateOf(addOn, addOn.defaultReferences, inventory);
  return 'error' in template ? undefined : template.object;
}
