import type { ClusterManagementAddOnV1beta1 } from '../../schemas/types.gen.ts';
import type { ConfigReference } from './configuration.ts';
import { isDeploymentConfig, isTemplate, type ConfigKind } from '../api/referent.ts';

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

/**
 * Whether the hub's template manager looks at an add-on on a cluster at all: not before its template has a hash. As
 * addon-framework FilterTemplateBasedAddOns.
 */
export function hasTemplate(references: readonly ConfigReference[]): boolean {
  return references.some((reference) => isTemplate(reference) && reference.specHash !== '');
}
