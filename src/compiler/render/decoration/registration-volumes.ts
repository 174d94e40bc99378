import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import type { RenderFault } from '../fault.ts';

/** The volumes and mounts that give a pod access to its registrations' secrets. */
export interface Volumes {
  readonly mounts: readonly GoJsonObject[];
  readonly volumes: readonly GoJsonObject[];
}

/** Returns the volumes for a template's registrations, in order, including duplicates. As OCM's volumeDecorator. */
export function registrationVolumes(addOn: string, template: AddOnTemplateV1alpha1): Volumes | RenderFault {
  const mounts: GoJsonObject[] = [];
  const volumes: GoJsonObject[] = [];
  for (const [index, { type, customSigner }] of (template.spec.registration ?? []).entries()) {
    if (type === 'CustomSigner' && customSigner === undefined) {
      return { error: 'custom signer is nil', code: 'FW6005', path: ['spec', 'registration', index] };
    }
    const signer = type === 'CustomSigner' ? customSigner?.signerName.replaceAll('/', '-') : undefined;
    const name = signer === undefined ? 'hub-kubeconfig' : `cert-${signer.replaceAll('.', '-')}`;
    const secretName = signer === undefined ? `${addOn}-hub-kubeconfig` : `${addOn}-${signer}-client-cert`;
    mounts.push({ name, mountPath: `/managed/${signer ?? 'hub-kubeconfig'}` });
    volumes.push({ name, secret: { secretName } });
  }
  return { mounts, volumes };
}
