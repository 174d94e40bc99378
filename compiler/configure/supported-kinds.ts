import type { ClusterManagementAddOnV1beta1 } from '../../schemas/types.gen.ts';
import type { ConfigReference } from './configuration.ts';
import { addOnGroup, isDeploymentConfig, isTemplate, type ConfigKind } from '../api/referent.ts';
import type { Delivery } from './delivery.ts';

/** Whether an add-on lists a kind, with or without a default. Its own manager, if it has one, reads the kinds that it lists. */
export function lists(
  { spec }: ClusterManagementAddOnV1beta1,
  { group = '', resource }: ConfigKind,
): boolean {
  return (spec.defaultConfigs ?? []).some(
    (kind) => (kind.group ?? '') === group && kind.resource === resource,
  );
}

/** Whether the hub's template manager runs the add-on. As OCM's SupportAddOnTemplate: listing the kind is enough. */
export function supportsTemplates({ spec }: ClusterManagementAddOnV1beta1): boolean {
  return (spec.defaultConfigs ?? []).some(isTemplate);
}

/** Whether the hub's template manager reads a kind: it knows two, whatever the add-on lists. */
export function isReadForTemplates(kind: ConfigKind): boolean {
  return isTemplate(kind) || isDeploymentConfig(kind);
}

/** Whether the companion takes a kind: what works are rendered with, and what the add-on lists. */
export function isTakenByCompanion(kind: ConfigKind, addOn: ClusterManagementAddOnV1beta1): boolean {
  return isReadForTemplates(kind) || lists(addOn, kind);
}

/** Whether a kind is that of Secrets, which belong in no Git repository: only the hub has them. */
export function isSecret({ group = '', resource }: ConfigKind): boolean {
  return group === '' && resource === 'secrets';
}

/**
 * `status.supportedConfigs`: the kinds that OCM's template manager reads; with compiled delivery those that are listed, and
 * behind them these, as the companion writes it.
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
 * Whether the hub's template manager looks at an add-on on a cluster at all: not before its template has a hash. As
 * addon-framework FilterTemplateBasedAddOns.
 */
export function hasTemplate(references: readonly ConfigReference[]): boolean {
  return references.some((reference) => isTemplate(reference) && reference.specHash !== '');
}
