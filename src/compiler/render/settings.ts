import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnDeploymentConfigV1alpha1NodePlacement,
  AddOnDeploymentConfigV1alpha1ProxyConfig,
} from '../../../schemas/types.gen.ts';
import type { RenderFault } from './fault.ts';
import { parseImageRegistries, type ImageMirror } from './decoration/image-registries.ts';
import { readReplicaConfigs, type WorkloadReplicas } from './decoration/replica-configs.ts';
import { readResourceRequirements, type ContainerResources } from './decoration/resource-requirements.ts';

/**
 * The settings that a configuration and the cluster's annotation define for the workloads of a template. A setting that is a
 * fault stops the render only if there is a workload to apply it to.
 */
export interface Settings {
  /** The namespace to which everything is moved. Empty if nothing is moved. */
  readonly installNamespace: string;
  readonly nodePlacement?: AddOnDeploymentConfigV1alpha1NodePlacement | RenderFault;
  readonly registries?: readonly ImageMirror[] | RenderFault;
  readonly proxy?: AddOnDeploymentConfigV1alpha1ProxyConfig;
  readonly resources?: readonly ContainerResources[] | RenderFault;
  readonly replicas?: readonly WorkloadReplicas[];
}

/**
 * OCM stores settings among the variables, under these names. A customized variable with such a name is not a variable: it is
 * used as the setting if the configuration has none.
 */
export const settingNames: ReadonlySet<string> = new Set([
  '__NODE_PLACEMENT',
  '__REGISTRIES',
  '__INSTALL_NAMESPACE',
  '__PROXY',
  '__RESOURCE_REQUIREMENTS',
]);

/**
 * Returns the settings for one cluster in the order of OCM's templateagent: the cluster's annotation, then the configuration.
 *
 * @param annotation the cluster's image registries, as the annotation's text
 */
export function readSettings(
  config: AddOnDeploymentConfigV1alpha1 | undefined,
  annotation: string | undefined,
): Settings | RenderFault {
  const annotated = parseImageRegistries(annotation ?? '');
  if ('error' in annotated) return annotated;
  if (config === undefined) return { installNamespace: '', ...annotated };

  const {
    agentInstallNamespace = '',
    nodePlacement,
    registries,
    proxyConfig = {},
    resourceRequirements,
    replicaConfigs = [],
  } = config.spec;
  const resources = resourceRequirements && readResourceRequirements(resourceRequirements);
  if (resources !== undefined && 'error' in resources) return resources;

  const posing = new Map(
    (config.spec.customizedVariables ?? []).flatMap(({ name, value = '' }, index) =>
      settingNames.has(name) ? [[name, { value, index }] as const] : [],
    ),
  );
  const pose = (name: string, what: string): RenderFault | undefined =>
    posing.has(name)
      ? {
          error: `${what} value is invalid`,
          code: 'FW6003',
          path: ['spec', 'customizedVariables', posing.get(name)?.index ?? 0],
        }
      : undefined;
  const placement = nodePlacement ?? pose('__NODE_PLACEMENT', 'node placement');
  const mirrors = registries ?? pose('__REGISTRIES', 'registries') ?? annotated.registries;
  const requirements = resources ?? pose('__RESOURCE_REQUIREMENTS', 'resource requirements');
  return {
    installNamespace: agentInstallNamespace || (posing.get('__INSTALL_NAMESPACE')?.value ?? ''),
    ...(placement === undefined ? {} : { nodePlacement: placement }),
    ...(mirrors === undefined ? {} : { registries: mirrors }),
    ...(Object.values(proxyConfig).some((value) => value !== '') ? { proxy: proxyConfig } : {}),
    ...(requirements === undefined ? {} : { resources: requirements }),
    ...(replicaConfigs.length === 0 ? {} : { replicas: readReplicaConfigs(replicaConfigs) }),
  };
}
