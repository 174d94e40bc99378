import { diagnostic } from '../../model/diagnostic.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { pointAt } from '../../model/point-at.ts';
import { nameOf } from '../../../base/objects/object-identity.ts';
import type { Rule } from '../rule.ts';

/** Reports Secrets with a value among a template's manifests. Anyone who can read templates, works or dist can read it. */
export const secretInManifest: Rule = {
  codes: ['FW7121'],
  *check({ inventory }) {
    for (const template of inventory.addOnTemplates.values()) {
      for (const [index, manifest] of (template.object.spec.agentSpec.workload?.manifests ?? []).entries()) {
        if (manifest.kind !== 'Secret' || manifest.apiVersion !== 'v1') continue;
        const field = ['data', 'stringData'].find((field) =>
          Object.values(manifest[field] ?? {}).some((value) => value !== '' && value !== null),
        );
        if (field === undefined) continue;
        yield diagnostic('FW7121', {
          message: `Secret "${nameOf(manifest as unknown as GoJsonObject)}" is readable in the template, in the works of every cluster and in Git`,
          ...pointAt(template, ['spec', 'agentSpec', 'workload', 'manifests', index, field]),
          hint: 'let the cluster fetch it, for example with External Secrets, or let the agent read it from the hub',
        });
      }
    }
  },
};
