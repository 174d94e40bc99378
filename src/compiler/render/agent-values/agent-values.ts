import { defaultInstallNamespace } from '../../../ocm/install-namespace.ts';
import { toValue, type ValueMap } from '../../../engines/gotemplate/index.ts';
import type { RenderFault } from '../fault.ts';
import { plainValue } from './go-values.ts';
import { mergeValues, valueAt } from './merge-values.ts';
import type { AgentKind, ValuesFunction, ValuesProfile } from '../../../ocm/values-profile.ts';
import { functionValues, type ValuesInputs } from './values-functions.ts';

/** An add-on on a cluster, as the functions for values read it. */
export interface AgentInputs extends ValuesInputs {
  readonly addOn: string;
  readonly cluster: string;
  /** The annotation of the ManagedClusterAddOn with the namespace. The configuration overrides it. */
  readonly installNamespace?: string | undefined;
  /** The annotation of the ManagedClusterAddOn with the hosting cluster. */
  readonly hostingCluster?: string | undefined;
}

/** The values of one source. */
export interface ValuesLayer {
  /** Such as `built-in values` or `ToAddOnNodePlacementValues`. */
  readonly name: string;
  readonly values: ValueMap;
}

/** The values of an add-on on a cluster, without the defaults in a chart's values.yaml. */
export interface AgentValues {
  readonly values: ValueMap;
  /** The names of the values at the top that no layer but those of the agent sets. */
  readonly addedValues: ReadonlySet<string>;
  /** Weakest first. */
  readonly layers: readonly ValuesLayer[];
  readonly installNamespace: string;
}

/**
 * Returns the values with which addon-framework renders an add-on on a cluster: the defaults of the agent, then those of each
 * function, then the built-in values, which nothing overrides. As addon-framework HelmAgentAddon.getValues and
 * TemplateAgentAddon.getValues.
 */
export function agentValues(
  kind: AgentKind,
  { functions, registers }: ValuesProfile,
  inputs: AgentInputs,
  base: readonly ValuesLayer[] = [],
): AgentValues | RenderFault {
  const installNamespace = installNamespaceOf(inputs);
  const layers: ValuesLayer[] = [
    { name: 'default values of the agent', values: named(kind, defaults(kind, registers, inputs.addOn)) },
    ...base,
  ];
  let values = mergeLayers(layers);
  for (const each of functions) {
    const read = functionValues(each, inputs);
    if ('error' in read) return read;
    values = mergeValues(values, valuesFor(kind, read.values));
    layers.push(
      ...layersOf(each, inputs).map((layer) => ({ ...layer, values: valuesFor(kind, layer.values) })),
    );
  }
  const builtIn = {
    clusterName: inputs.cluster,
    addonInstallNamespace: installNamespace,
    installMode: inputs.hostingCluster === undefined ? 'Default' : 'Hosted',
  };
  const builtInLayer = { name: 'built-in values of the agent', values: named(kind, builtIn) };
  return {
    values: mergeValues(values, builtInLayer.values),
    addedValues: addedValues(layers, builtInLayer),
    layers: [...layers, builtInLayer],
    installNamespace,
  };
}

function addedValues(
  [defaults, ...others]: readonly ValuesLayer[],
  builtIn: ValuesLayer,
): ReadonlySet<string> {
  const added = [defaults, builtIn].flatMap((layer) => [...(layer?.values.keys() ?? [])]);
  return new Set(added.filter((name) => !others.some(({ values }) => values.has(name))));
}

function mergeLayers(layers: readonly ValuesLayer[]): ValueMap {
  return layers.reduce<ValueMap>((merged, { values }) => mergeValues(merged, values), new Map());
}

/** Helm's agent converts values to JSON before it merges them, since the release after addon-framework 1.3.0. */
function valuesFor(kind: AgentKind, values: ValueMap): ValueMap {
  return kind === 'helm' ? (plainValue(values) as ValueMap) : values;
}

/** Returns the strongest layer that has a value at a path. */
export function winningLayer(
  layers: readonly ValuesLayer[],
  path: readonly string[],
): ValuesLayer | undefined {
  return layers.findLast(({ values }) => valueAt(values, path) !== undefined);
}

/** As addon-framework getValueAgentInstallNamespace, with AgentInstallNamespaceFromDeploymentConfigFunc. */
function installNamespaceOf({ config, installNamespace = '' }: AgentInputs): string {
  const configured = config?.spec.agentInstallNamespace ?? '';
  return configured || installNamespace || defaultInstallNamespace;
}

/** Chart values begin with a lowercase letter, those of Go templates with an uppercase one. */
function named(kind: AgentKind, values: Readonly<Record<string, unknown>>): ValueMap {
  const entries = Object.entries(values).map(
    ([name, value]) =>
      [kind === 'helm' ? name : name.charAt(0).toUpperCase() + name.slice(1), value] as const,
  );
  return toValue(Object.fromEntries(entries)) as ValueMap;
}

function defaults(kind: AgentKind, registers: boolean, addOn: string): Readonly<Record<string, unknown>> {
  const hubKubeConfigSecret = registers ? `${addOn}-hub-kubeconfig` : '';
  const managedKubeConfigSecret = `${addOn}-managed-kubeconfig`;
  if (kind === 'template') return { hubKubeConfigSecret, managedKubeConfigSecret };
  return {
    ...(registers ? { hubKubeConfigSecret } : {}),
    managedKubeConfigSecret,
    // A struct, which omitempty keeps.
    hostingClusterCapabilities: {
      KubeVersion: { Version: '', Major: '', Minor: '' },
      APIVersions: null,
      HelmVersion: {},
    },
  };
}

/** Returns the layers of a function. Each conversion of an AddOnDeploymentConfig is one. */
function layersOf(called: ValuesFunction, inputs: ValuesInputs): ValuesLayer[] {
  const parts =
    called.function === 'GetAddOnDeploymentConfigValues'
      ? called.toValues.map((conversion) => ({
          name: typeof conversion === 'string' ? conversion : 'ToImageOverrideValuesFunc',
          part: { ...called, toValues: [conversion] },
        }))
      : [{ name: called.function, part: called }];
  return parts.flatMap(({ name, part }) => {
    const read = functionValues(part, inputs);
    return 'error' in read ? [] : [{ name, values: read.values }];
  });
}
