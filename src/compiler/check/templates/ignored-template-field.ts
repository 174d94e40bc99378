import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';

/** Reports fields of a template's agentSpec that belong to ManifestWorks and that the hub never reads. */
export const ignoredTemplateField: Rule = {
  codes: ['FW7113'],
  *check({ inventory }) {
    for (const template of inventory.addOnTemplates.values()) {
      const { executor, deleteOption } = template.object.spec.agentSpec;
      if (executor !== undefined) {
        yield diagnostic('FW7113', {
          message:
            'the hub ignores the executor of a template: the manifests are applied with the permissions of the work agent',
          ...pointAt(template, ['spec', 'agentSpec', 'executor']),
          hint: 'remove it',
        });
      }
      if (deleteOption !== undefined) {
        yield diagnostic('FW7113', {
          message: 'the hub ignores the deleteOption of a template: everything is deleted with the add-on',
          ...pointAt(template, ['spec', 'agentSpec', 'deleteOption']),
          hint: 'annotate the manifests that should stay with addon.open-cluster-management.io/deletion-orphan: ""',
        });
      }
    }
  },
};
