import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import type { ConfigReference } from './resolved-add-on.ts';
import { isDeploymentConfig, isTemplate, type ConfigKind } from '../../ocm/referent.ts';
import type { Delivery } from './delivery.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/**
 * Returns whether an add-on lists a kind, with or without a default. The add-on's own manager, if it has one, reads the kinds
 * that it lists.
 */
export function lists(
  { spec }: ClusterManagementAddOnV1beta1,
  { group = '', resource }: ConfigKind,
): boolean {
  return (spec.defaultConfigs ?? []).some(
    (kind) => (kind.group ?? '') === group && kind.resource === resource,
  );
}

/** Returns whether the hub's template manager runs the add-on. As OCM's SupportAddOnTemplate: listing the kind is sufficient. */
export function supportsTemplates({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return (spec.defaultConfigs ?? []).some(isTemplate);
}

/**
 * Returns whether the hub's template manager reads a kind. It reads exactly two, regardless of the kinds that the add-on lists.
 */
export function isReadForTemplates(kind: ConfigKind): boolean {
  return isTemplate(kind) || isDeploymentConfig(kind);
}

/** Returns whether the companion reads a kind: the kinds from which works are rendered, and those that the add-on lists. */
export function isTakenByCompanion(kind: ConfigKind, addOn: ClusterManagementAddOnV1beta1): boolean {
  return isReadForTemplates(kind) || lists(addOn, kind);
}

/** Returns whether a kind is that of Secrets, which must not be in a Git repository. Only the hub has them. */
export function isSecret({ group = '', resource }: ConfigKind): boolean {
  return group === '' && resource === 'secrets';
}

/**
 * Returns `status.supportedConfigs`: the kinds that OCM's template manager reads. With compiled delivery, the listed kinds
 * followed by these, as the companion writes it.
 */
export function supportedConfigs(
  { spec }: ClusterManagementAddOnV1beta1,
  delivery: Delivery,
): readonly Required<ConfigKind>[] {
  if (delivery === 'hub') return readForTemplates;
  const listed = (spec.defaultConfigs ?? []).flatMap((kind) => {
    const { group = '', resource } = kind;
    return isTemplate(kind) ? [] : [{ group, resource }];
  });
  return [
    ...listed,
    ...readForTemplates.filter((kind) => !isDeploymentConfig(kind) || !listed.some(isDeploymentConfig)),
  ];
}

const readForTemplates = ['addondeploymentconfigs', 'addontemplates'].map((resource) => ({
  group: addOnGroup,
  resource,
}));

/**
 * Returns whether the hub's template manager processes an add-on on a cluster. It does not before the template has a hash. As
 * addon-framework FilterTemplateBasedAddOns.
 */
export function hasTemplate(references: readonly ConfigReference[]): boolean {
  return references.some((reference) => isTemplate(reference) && reference.specHash !== '');
}
