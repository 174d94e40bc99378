import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import { settingNames, type Settings } from './settings.ts';

/** What the tags of a template's manifests stand for on one cluster. */
export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  /** The names of those that every container gets as environment variables, in order. */
  readonly preset: readonly string[];
}

const hubKubeconfig = '/managed/hub-kubeconfig/kubeconfig';

/**
 * The variables of OCM's templateagent: defaults, then the configuration's, then the built-in ones, later ones winning.
 * An install namespace is built in only where there is one; otherwise a configuration may define `INSTALL_NAMESPACE`.
 */
export function variablesFor(
  cluster: string,
  template: AddOnTemplateV1alpha1,
  config: AddOnDeploymentConfigV1alpha1 | undefined,
  settings: Settings,
): Variables {
  const values = new Map<string, string>();
  const preset: string[] = [];
  // an empty list counts as well: OCM asks only whether the field is there
  if (template.spec.registration !== undefined) {
    values.set('HUB_KUBECONFIG', hubKubeconfig);
    preset.push('HUB_KUBECONFIG');
  }
  for (const { name, value = '' } of config?.spec.customizedVariables ?? []) {
    if (!settingNames.has(name)) values.set(name, value);
  }
  values.set('CLUSTER_NAME', cluster);
  preset.push('CLUSTER_NAME');
  if (settings.installNamespace !== '') {
    values.set('INSTALL_NAMESPACE', settings.installNamespace);
    preset.push('INSTALL_NAMESPACE');
  }
  return { values, preset };
}
