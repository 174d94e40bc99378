import { diagnostic } from '../../model/diagnostic.ts';
import { mayUseTemplate, sharedWithAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/**
 * Reports templates that name one add-on and are used by another. OCM's hub does not compare the names. The companion, which
 * registers add-ons with compiled delivery, does.
 */
export const foreignTemplate: Rule = {
  codes: ['FW7114', 'FW7150'],
  *check({ rendering, configuration }) {
    for (const { addOn, template } of usedTemplates(rendering)) {
      if (mayUseTemplate(addOn, template.object)) continue;
      const { addonName } = template.object.spec;
      const used = `add-on "${addOn}" uses this template, which belongs to the add-on "${addonName}"`;
      const correction = `write addonName: ${addOn}, if the template is for this add-on`;
      if (configuration.get(addOn)?.delivery === 'compiled') {
        yield diagnostic('FW7150', {
          message: `${used}: the companion does not register it`,
          ...pointAt(template, ['spec', 'addonName']),
          hint: `${correction}; share it with the annotation ${sharedWithAnnotation}: ${addOn} otherwise`,
        });
      } else {
        yield diagnostic('FW7114', {
          message: `${used}: the hub does not compare the names`,
          ...pointAt(template, ['spec', 'addonName']),
          hint: correction,
        });
      }
    }
  },
};
