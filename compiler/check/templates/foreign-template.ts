import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/** A template that names one add-on and is used by another: the hub does not look at the name. */
export const foreignTemplate: Rule = function* ({ rendering }) {
  for (const { addOn, template } of usedTemplates(rendering)) {
    const { addonName } = template.object.spec;
    if (addonName === addOn) continue;
    yield {
      code: 'FW7114',
      severity: 'info',
      message: `add-on "${addOn}" uses this template, which says that it is for "${addonName}": the hub does not compare the names`,
      ...pointAt(template, ['spec', 'addonName']),
      hint: `write addonName: ${addOn}, if the template is for this add-on`,
    };
  }
};
