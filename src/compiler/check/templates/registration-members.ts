import type {
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1RegistrationSpec,
} from '../../../../schemas/types.gen.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { Admitted } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import { sampleOf } from './rendered-sample.ts';
import type { Rule } from '../rule.ts';

/** Reports registrations whose fields do not fit their type. The schema accepts them nevertheless. */
export const registrationMembers: Rule = {
  codes: ['FW7119'],
  *check({ inventory, rendering }) {
    const failing = new Set(rendering.groups.filter(lacksSigner).map(({ template }) => template));
    for (const template of inventory.addOnTemplates.values()) {
      for (const [index, registration] of (template.object.spec.registration ?? []).entries()) {
        const path = ['spec', 'registration', index];
        const isReported = failing.has(template);
        if (registration.type === 'CustomSigner' && registration.customSigner === undefined && !isReported) {
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
  },
};

/** Whether the render stops for a missing signer, which FW6005 reports. It does if there are workloads. */
function lacksSigner(group: RenderGroup): boolean {
  const rendered = sampleOf(group);
  return 'error' in rendered && rendered.code === 'FW6005';
}

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
  return diagnostic('FW7119', { message, ...pointAt(template, path), hint });
}
