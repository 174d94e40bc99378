import type { AddOnTemplateV1alpha1RegistrationSpec } from '../../schemas/types.gen.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldPath } from '../field-path.ts';
import { pointAt } from '../place/point-at.ts';
import { convertWorkload } from '../render/manifests.ts';
import type { GoJsonObject } from '../go-json.ts';
import type { Admitted } from '../inventory.ts';
import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import type { Rule } from './rule.ts';

/** Registrations whose fields do not fit their type; the schema takes them all the same. */
export const registrationMembers: Rule = function* ({ inventory, rendering }) {
  const used = new Set(rendering.groups.map(({ template }) => template));
  for (const template of inventory.addOnTemplates.values()) {
    for (const [index, registration] of (template.object.spec.registration ?? []).entries()) {
      const path = ['spec', 'registration', index];
      // with a workload the render stops, which FW6005 tells
      const isTold = used.has(template) && hasWorkload(template);
      if (registration.type === 'CustomSigner' && registration.customSigner === undefined && !isTold) {
        yield finding(
          template,
          path,
          'this registration is of type CustomSigner but has no customSigner, so the agent gets no certificate',
          'write customSigner with signerName and signingCA, or remove the registration',
        );
      }
      yield* surplusMembers(template, path, registration);
    }
  }
};

function* surplusMembers(
  template: Admitted<AddOnTemplateV1alpha1>,
  path: FieldPath,
  { type, kubeClient, customSigner }: AddOnTemplateV1alpha1RegistrationSpec,
): Iterable<Diagnostic> {
  const surplus = type === 'KubeClient' ? customSigner && 'customSigner' : kubeClient && 'kubeClient';
  if (surplus !== undefined) {
    const message = `${surplus} has no effect in a registration of type ${type}`;
    yield finding(template, [...path, surplus], message, 'remove it, or change the type');
  }
  for (const [index, permission] of (type === 'KubeClient'
    ? (kubeClient?.hubPermissions ?? [])
    : []
  ).entries()) {
    const { type, currentCluster, singleNamespace } = permission;
    const other =
      type === 'CurrentCluster' ? singleNamespace && 'singleNamespace' : currentCluster && 'currentCluster';
    if (other === undefined) continue;
    const message = `${other} has no effect in a permission of type ${type}`;
    yield finding(
      template,
      [...path, 'kubeClient', 'hubPermissions', index, other],
      message,
      'remove it, or change the type',
    );
  }
}

function finding(
  template: Admitted<AddOnTemplateV1alpha1>,
  path: FieldPath,
  message: string,
  hint: string,
): Diagnostic {
  return { code: 'FW7119', severity: 'warning', message, ...pointAt(template, path), hint };
}

function hasWorkload({ object }: Admitted<AddOnTemplateV1alpha1>): boolean {
  const manifests = object.spec.agentSpec.workload?.manifests ?? [];
  return manifests.some((manifest) => convertWorkload(manifest as unknown as GoJsonObject) !== undefined);
}
