import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { settingNames, type Settings } from './settings.ts';

/** The values of the tags in a template's manifests on one cluster. */
export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  /** The names of the variables that every container gets as environment variables, in order. */
  readonly preset: readonly string[];
}

const hubKubeconfig = '/managed/hub-kubeconfig/kubeconfig';

/**
 * Returns the variables of OCM's templateagent: defaults, then the configuration's variables, then the built-in ones. Later ones
 * override earlier ones. An install namespace is built in only if there is one. Otherwise a configuration can define
 * `INSTALL_NAMESPACE`.
 */
export function variablesFor(
  cluster: string,
  template: AddOnTemplateV1alpha1,
  config: AddOnDeploymentConfigV1alpha1 | undefined,
  settings: Settings,
): Variables {
  const values = new Map<string, string>();
  const preset: string[] = [];
  // An empty list counts as well: OCM only checks whether the field exists.
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
