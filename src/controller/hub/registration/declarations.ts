import { mayUseTemplate } from '../../../ocm/fleetwright-annotations.ts';
import { keyOfName, type ObjectName } from '../../../client/object.ts';
import type { Registration } from '../../add-on/registration.ts';
import type { HubInformers } from '../hub-informers.ts';
import { isCompanionManaged, templateNameOf } from '../managed-add-ons.ts';
import type { AllowedSigner } from '../signing/allowed-signer.ts';
import { registrationsFor } from './registrations.ts';
import { isKubernetesSigner } from '../../../ocm/signers.ts';
import { type AddOnOnCluster } from '../../../ocm/agent-identity.ts';

/** The credentials of an add-on on a cluster, according to its definition on the hub. */
export interface Declaration {
  /** The template that its definition references; undefined if there is none. */
  readonly template: { readonly name: string; readonly generation?: number } | undefined;
  readonly registrations: readonly Registration[];
  /**
   * Signers that its template names and that it may not use: the settings assign them to other authorities or
   * add-ons.
   */
  readonly foreignSigners: ReadonlySet<string>;
  /** The Secrets of the certificate authorities that sign here, by the names of their signers. */
  readonly authorities: ReadonlyMap<string, ObjectName>;
}

/** Finds the declaration of an add-on on a cluster; undefined for add-ons that are not managed here. */
export type Declarations = (onCluster: AddOnOnCluster) => Declaration | undefined;

const nothing: Declaration = {
  template: undefined,
  registrations: [],
  foreignSigners: new Set(),
  authorities: new Map(),
};

export interface DeclarationOptions {
  /** Add-ons that are managed although their definitions do not select compiled delivery. */
  readonly named: readonly string[];
  /** The default namespace of the Secrets of authorities. */
  readonly namespace: string;
  /** If there are any, no other signers of add-ons are used. */
  readonly signers: readonly AllowedSigner[];
}

/**
 * Returns a function that finds the declaration of an add-on: in the template that its definition or its
 * ManagedClusterAddOn references, which must belong to the add-on. The status does not count, because the agents of a
 * cluster may write it.
 */
export function declarationsOf(
  { clusterManagementAddOns, managedClusterAddOns, addOnTemplates }: HubInformers,
  { named, namespace, signers }: DeclarationOptions,
): Declarations {
  const isAllowed = (addOn: string, signerName: string, authority: ObjectName): boolean =>
    signers.length === 0 ||
    signers.some(
      (signer) =>
        signer.signerName === signerName &&
        keyOfName(signer.authority) === keyOfName(authority) &&
        (signer.addOn === undefined || signer.addOn === addOn),
    );
  return (claim) => {
    const addOn = clusterManagementAddOns.store.get(claim.addOn);
    if (addOn === undefined || !isCompanionManaged(addOn, named)) return undefined;
    const onCluster = managedClusterAddOns.store.get(`${claim.cluster}/${claim.addOn}`);
    const name = onCluster && templateNameOf(addOn, onCluster);
    const template = name === undefined ? undefined : addOnTemplates.store.get(name);
    if (template === undefined || !mayUseTemplate(claim.addOn, template)) return nothing;
    const [authorities, foreignSigners] = [new Map<string, ObjectName>(), new Set<string>()];
    for (const { type, customSigner } of template.spec.registration ?? []) {
      if (type !== 'CustomSigner' || customSigner === undefined) continue;
      const { signerName, signingCA } = customSigner;
      // as the registrations: of several entries for a signer the first one counts
      if (authorities.has(signerName) || foreignSigners.has(signerName) || isKubernetesSigner(signerName))
        continue;
      const authority = { name: signingCA.name, namespace: signingCA.namespace ?? namespace };
      if (isAllowed(claim.addOn, signerName, authority)) authorities.set(signerName, authority);
      else foreignSigners.add(signerName);
    }
    return {
      template: template.metadata,
      registrations: registrationsFor(template, claim, undefined),
      foreignSigners,
      authorities,
    };
  };
}
