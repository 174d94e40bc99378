import type { ObjectName } from '../../kube/object.ts';
import type { Registration } from '../approval/facts.ts';
import type { HubInformers } from '../hub-informers.ts';
import { isCompanionManaged, templateNameOf } from '../managed-add-ons.ts';
import { isKubernetesSigner, registrationsFor, type AddOnOnCluster } from './registrations.ts';

/** What the definition of an add-on on the hub says of its credentials on a cluster. */
export interface Declaration {
  readonly registrations: readonly Registration[];
  /** The Secrets of the certificate authorities that sign here, by the names of their signers. */
  readonly authorities: ReadonlyMap<string, ObjectName>;
}

/** Finds what an add-on declares on a cluster; undefined for add-ons that are not looked after here. */
export type Declarations = (onCluster: AddOnOnCluster) => Declaration | undefined;

const nothing: Declaration = { registrations: [], authorities: new Map() };

/**
 * Finds what an add-on declares: in the template that its definition names. What the status says of templates and
 * registrations does not count, for the agents of a cluster may write it.
 *
 * @param namespace - of the Secrets of authorities whose namespace is not said
 */
export function declarationsOf(
  { clusterManagementAddOns, managedClusterAddOns, addOnTemplates }: HubInformers,
  named: readonly string[],
  namespace: string,
): Declarations {
  return (claim) => {
    const addOn = clusterManagementAddOns.store.get(claim.addOn);
    if (addOn === undefined || !isCompanionManaged(addOn, named)) return undefined;
    const onCluster = managedClusterAddOns.store.get(`${claim.cluster}/${claim.addOn}`);
    const name = onCluster && templateNameOf(addOn, onCluster);
    const template = name === undefined ? undefined : addOnTemplates.store.get(name);
    if (template === undefined) return nothing;
    const authorities = new Map<string, ObjectName>();
    for (const { type, customSigner } of template.spec.registration ?? []) {
      if (type !== 'CustomSigner' || customSigner === undefined) continue;
      const { signerName, signingCA } = customSigner;
      // as the registrations: of several entries for a signer the first one counts
      if (authorities.has(signerName) || isKubernetesSigner(signerName)) continue;
      authorities.set(signerName, { name: signingCA.name, namespace: signingCA.namespace ?? namespace });
    }
    return { registrations: registrationsFor(template, claim, undefined), authorities };
  };
}
