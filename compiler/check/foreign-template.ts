import { pointAt } from '../place/point-at.ts';
import type { Rule } from './rule.ts';

/** A template that names one add-on and is used by another: the hub does not look at the name. */
export const foreignTemplate: Rule = function* ({ rendering }) {
  const told = new Set<string>();
  for (const { addOn, template } of rendering.groups) {
    const { addonName } = template.object.spec;
    const key = `${template.object.metadata.name}/${addOn}`;
    if (addonName === addOn || told.has(key)) continue;
    told.add(key);
    yield {
      code: 'FW7114',
      severity: 'info',
      message: `add-on "${addOn}" uses this template, which says that it is for "${addonName}": the hub does not compare the names`,
      ...pointAt(template, ['spec', 'addonName']),
      hint: `write addonName: ${addOn}, if the template is for this add-on`,
    };
  }
};
