import { toValue, type Value, type ValueMap } from '../../../engines/gotemplate/index.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  ManagedClusterAddOnV1beta1,
  ManagedClusterV1,
} from '../../../../schemas/types.gen.ts';
import { hostingClusterAnnotation } from '../../../ocm/hosted-mode.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import type { Delivery } from '../../configure/delivery.ts';
import { installedAddOn } from '../../configure/installed-add-on.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { agentValues, type AgentValues, type ValuesLayer } from '../agent-values/agent-values.ts';
import { valuesAnnotation } from '../agent-values/values-functions.ts';
import type { RenderFault } from '../fault.ts';
import type { ManifestSource, SourceRules, SourceVariable } from './manifest-source.ts';

/** What the values of an add-on on a cluster depend on, besides the configuration and the name of the cluster. */
export interface ClusterFacts {
  /** The values in the annotation of the ManagedClusterAddOn. */
  readonly annotation: string | undefined;
  readonly installNamespace: string | undefined;
  readonly hostingCluster: string | undefined;
  /** Such as `v1.31.2`; empty if the cluster does not report it. */
  readonly kubernetesVersion: string;
}

/** What the values of an add-on depend on, for all clusters of a group. */
export interface SourceInputs {
  readonly addOn: string;
  readonly config?: AddOnDeploymentConfigV1alpha1 | undefined;
  /** The clusters' image registries, as the annotation's text. */
  readonly imageRegistries?: string | undefined;
  /** Whether the agent registers at the hub. */
  readonly registers: boolean;
  /** Those of a chart that states none. */
  readonly rules: SourceRules;
}

/** Returns the rules for charts that state none: those of the program that renders the charts of an add-on. */
export function rulesOf(delivery: Delivery): SourceRules {
  return delivery === 'compiled' ? 'helm' : 'addon-framework';
}

const prefix = 'addon.open-cluster-management.io';

/**
 * Returns the facts of an add-on on a cluster. A ManagedClusterAddOn that the hub or the compiler creates has the cluster's
 * annotations with the prefix of add-ons.
 */
export function addOnFacts(
  { name, delivery }: Pick<ResolvedAddOn, 'name' | 'delivery'>,
  clusterAddOn: Pick<ClusterAddOn, 'cluster' | 'managedClusterAddOn'>,
  cluster: ManagedClusterV1 | undefined,
  hub: HubVersion,
): ClusterFacts {
  const copies = delivery === 'compiled' || hub.copiesClusterAnnotations;
  return clusterFacts(cluster, installedAddOn(name, clusterAddOn, copies ? cluster : undefined));
}

export function clusterFacts(
  cluster: ManagedClusterV1 | undefined,
  addOn: ManagedClusterAddOnV1beta1 | undefined,
): ClusterFacts {
  const annotations = addOn?.metadata.annotations ?? {};
  return {
    annotation: annotations[valuesAnnotation],
    installNamespace: annotations[`${prefix}/v1alpha1-install-namespace`],
    hostingCluster: annotations[hostingClusterAnnotation],
    kubernetesVersion: cluster?.status?.version?.kubernetes ?? '',
  };
}

/** The layer of `spec.values` of a source. */
export const sourceLayer = 'values of the source';

/** Returns the values with which a source is rendered for a cluster. */
export function sourceValues(
  { kind, functions, values, variables }: ManifestSource,
  { registers, ...inputs }: Omit<SourceInputs, 'rules'>,
  cluster: string,
  facts: ClusterFacts,
): AgentValues | RenderFault {
  const { annotation, installNamespace, hostingCluster } = facts;
  const { customizedVariables = [] } = inputs.config?.spec ?? {};
  const set: ValuesLayer[] = [];
  for (const { name, value: text = '' } of customizedVariables) {
    const variable = variables.get(name);
    if (variable === undefined) continue;
    const value = variableValue(variable, text);
    if (value === undefined) return { error: `variable ${name} is not valid JSON`, code: 'FW6036' };
    set.push({ name: `variable ${name}`, values: valuesWith(variable.path, value) });
  }
  const config = inputs.config && withoutParameters(inputs.config, variables);
  return agentValues(
    kind,
    { functions, registers },
    { ...inputs, config, cluster, annotation, installNamespace, hostingCluster },
    [{ name: sourceLayer, values: toValue(values) as ValueMap }, ...set],
  );
}

/** Returns the value that the text of a variable is. Undefined if it should be JSON and is not. */
export function variableValue({ isJson }: SourceVariable, text: string): Value | undefined {
  if (!isJson) return text;
  try {
    return toValue(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns a configuration as the functions for values read it: without the variables that only bring a value to its path. */
function withoutParameters(
  config: AddOnDeploymentConfigV1alpha1,
  variables: ManifestSource['variables'],
): AddOnDeploymentConfigV1alpha1 {
  const { customizedVariables = [] } = config.spec;
  const others = customizedVariables.filter(({ name }) => variables.get(name)?.isParameter !== true);
  if (others.length === customizedVariables.length) return config;
  return { ...config, spec: { ...config.spec, customizedVariables: others } };
}

/** Returns a values map with a single value at `path`. */
export function valuesWith(path: readonly string[], value: Value): ValueMap {
  return path.reduceRight<Value>((inner, key) => new Map([[key, inner]]), value) as ValueMap;
}
