import { oncePer } from '../../../base/collections/once-per.ts';
import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { RenderGroup, Rendering } from '../../render/render-result.ts';

/** A template that an add-on is rendered from. */
export interface UsedTemplate {
  readonly addOn: string;
  readonly template: Admitted<AddOnTemplateV1alpha1>;
  /** The render groups that use it, by configuration and annotation; at least one. */
  readonly groups: readonly [RenderGroup, ...RenderGroup[]];
}

/** Returns every template that an add-on is rendered from, once per add-on. */
export function usedTemplates({ groups }: Rendering): Iterable<UsedTemplate> {
  return usedIn(groups);
}

const usedIn = oncePer((groups: Rendering['groups']): Iterable<UsedTemplate> => {
  const used = new Map<string, UsedTemplate & { readonly groups: [RenderGroup, ...RenderGroup[]] }>();
  for (const group of groups) {
    const { addOn, template } = group;
    const key = `${addOn}/${template.object.metadata.name ?? ''}`;
    const use = used.get(key);
    if (use === undefined) used.set(key, { addOn, template, groups: [group] });
    else use.groups.push(group);
  }
  return used.values();
});
