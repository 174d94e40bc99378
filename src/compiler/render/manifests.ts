import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';
import { isGoJsonObject, type GoJsonObject } from '../../base/json/go-json.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { parseGoJson } from '../../base/json/parse-json.ts';
import { groupVersionKind } from '../../base/objects/object-identity.ts';
import type { Delivery } from '../configure/delivery.ts';
import type { FieldPath } from '../model/field-path.ts';
import { isPreDeleteHook } from './works/hooks.ts';
import { decorateNamespace } from './decoration/namespace-decoration.ts';
import { proxyConfigMap, proxyDecoration } from './decoration/proxy.ts';
import { registrationVolumes } from './decoration/registration-volumes.ts';
import type { RenderFault } from './fault.ts';
import { withReplicas } from './decoration/replica-configs.ts';
import { isManifestSource } from '../model/source-kinds.ts';
import { sourceRenderer, type ChartValues, type SourceRenderer } from './sources/source-renderer.ts';
import { clusterFacts, rulesOf, type ClusterFacts, type SourceInputs } from './sources/source-values.ts';
import type { RenderClass } from './render-class.ts';
import { readSettings, type Settings } from './settings.ts';
import { cutManifest, substitute, type ManifestText } from './substitution.ts';
import { variablesFor, type Variables } from './variables.ts';
import { convertWorkload, type WorkloadResource } from '../../base/typed/workload-conversion.ts';
import {
  decorateWorkload,
  type EnvironmentVariable,
  type WorkloadDecoration,
} from './decoration/workload-decoration.ts';

/** One object of a work. */
export interface RenderedObject {
  readonly object: GoJsonObject;
  /** Set for Deployments and DaemonSets that Go can read. The hub decorates and watches these. */
  readonly workload?: WorkloadResource;
  /** Whether it is run before the add-on is deleted, instead of being deployed. */
  readonly isHook: boolean;
  /** The position of the manifest in the template. Absent for objects that the hub adds. */
  readonly manifest?: number;
}

/** The objects of an add-on for one cluster in the hub's order, or the fault that stopped the hub. */
export type RenderedManifests =
  | {
      readonly objects: readonly RenderedObject[];
      /** Secrets of charts that are not delivered. @default - none */
      readonly undelivered?: readonly GoJsonObject[];
      readonly warnings?: readonly RenderFault[];
      /** Whether the objects keep their order in the works. @default false */
      readonly isOrdered?: boolean;
    }
  | RenderFault;

/** A manifest before the decoration of workloads. */
type Prepared = RenderedObject | RenderFault;

/** A renderer for a template with one configuration, for any number of clusters. */
export interface ManifestRenderer {
  /** The configuration and annotation as the hub reads them. A fault fails the render on every cluster. */
  readonly settings: Settings | RenderFault;
  readonly texts: readonly ManifestText[];
  /** Whether the template has a source. Its clusters can then differ by more than their names. */
  readonly hasSources: boolean;
  classOf(cluster: string): RenderClass;
  variables(cluster: string): Variables | undefined;
  render(cluster: string): RenderedManifests;
  /** Returns the Secrets of charts that are not delivered, with new random values at each call. */
  secrets(cluster: string): readonly GoJsonObject[] | RenderFault;
  /** Returns the values of each chart among the sources, or the fault of it. */
  chartValues(cluster: string): readonly (ChartValues | RenderFault)[];
}

/** The inputs for rendering a template. */
export interface ManifestInputs {
  readonly addOn: string;
  readonly template: AddOnTemplateV1alpha1;
  readonly config?: AddOnDeploymentConfigV1alpha1 | undefined;
  /** The cluster's image registries, as the annotation's text. */
  readonly annotation?: string | undefined;
  readonly hub: HubVersion;
  /** @default 'hub' */
  readonly delivery?: Delivery;
  /**
   * Returns what the values of a source depend on, besides the configuration.
   *
   * @default - no annotations, and an unknown version of Kubernetes
   */
  readonly factsOf?: (cluster: string) => ClusterFacts;
}

/** Renders a template as OCM's templateagent does. Manifests without the cluster's name are prepared once for all clusters. */
export function manifestRenderer({
  addOn,
  template,
  config,
  annotation,
  hub,
  delivery = 'hub',
  factsOf = () => clusterFacts(undefined, undefined),
}: ManifestInputs): ManifestRenderer {
  const settings = readSettings(config, annotation);
  const manifests = template.spec.agentSpec.workload?.manifests ?? [];
  const texts = manifests.map((manifest) =>
    isManifestSource(manifest) ? withoutTags : cutManifest(manifest),
  );
  if ('error' in settings)
    return {
      settings,
      texts,
      hasSources: false,
      classOf: () => onlyClass,
      variables: () => undefined,
      render: () => settings,
      secrets: () => settings,
      chartValues: () => [settings],
    };

  const variables = (cluster: string): Variables => variablesFor(cluster, template, config, settings);
  const decoration = workloadDecoration(addOn, template, settings);
  const injected = proxyConfigMap(addOn, settings.proxy);
  const added = injected === undefined ? [] : [move({ object: injected, isHook: false }, settings)];
  const prepared = new Map<ManifestText, Prepared>();
  const registers = template.spec.registration !== undefined;
  const rules = rulesOf(delivery);
  const sources = sourcesOf(manifests, { addOn, config, imageRegistries: annotation, registers, rules });
  const isOrdered = [...sources.values()].some(({ isRelease }) => isRelease);

  const prepareOnce = (text: ManifestText, values: ReadonlyMap<string, string>): Prepared => {
    if (text.tags.includes('CLUSTER_NAME')) return prepare(text, values, settings, hub);
    return getOrInsertComputed(prepared, text, () => prepare(text, values, settings, hub));
  };

  function render(cluster: string): RenderedManifests {
    const { values, preset } = variables(cluster);
    const environment = preset.map((name) => ({ name, value: values.get(name) ?? '' }));
    const objects: RenderedObject[] = [];
    const warnings: RenderFault[] = [];
    const undelivered: GoJsonObject[] = [];
    for (const [manifest, text] of texts.entries()) {
      const path = ['spec', 'agentSpec', 'workload', 'manifests', manifest];
      const source = sources.get(manifest)?.render(cluster, factsOf(cluster));
      if (source !== undefined) {
        if ('error' in source) return atSource(source, path);
        warnings.push(...source.warnings.map((warning) => atSource(warning, path)));
        undelivered.push(...(source.undelivered ?? []));
        objects.push(...source.objects.map(({ object }) => asAgentRenders(object, manifest, hub)));
        continue;
      }
      const ready = prepareOnce(text, values);
      if ('error' in ready) return { ...ready, path };
      if (ready.workload === undefined) objects.push({ ...ready, manifest });
      else if ('error' in decoration) return decoration;
      else objects.push({ ...decorated(ready.object, ready.workload, decoration, environment), manifest });
    }
    for (const object of added) {
      if ('error' in object) return object;
      objects.push(object);
    }
    return { objects, undelivered, warnings, isOrdered };
  }

  const secrets = (cluster: string): readonly GoJsonObject[] | RenderFault =>
    secretsOf([...sources.values()], cluster, factsOf(cluster));
  const classOf = (cluster: string): RenderClass =>
    sources.size === 0 ? onlyClass : classOfSources([...sources.values()], factsOf(cluster));
  const chartValues = (cluster: string): readonly (ChartValues | RenderFault)[] => {
    const facts = factsOf(cluster);
    return [...sources.values()].flatMap((source) => source.chartValues(cluster, facts) ?? []);
  };
  return { settings, texts, hasSources: sources.size > 0, classOf, variables, render, secrets, chartValues };
}

/** Returns the renderers of the sources among manifests, by their position. */
function sourcesOf(manifests: readonly object[], inputs: SourceInputs): ReadonlyMap<number, SourceRenderer> {
  return new Map(
    [...manifests.entries()].flatMap(([index, manifest]) =>
      isManifestSource(manifest) ? [[index, sourceRenderer(manifest as GoJsonObject, inputs)] as const] : [],
    ),
  );
}

function secretsOf(
  sources: readonly SourceRenderer[],
  cluster: string,
  facts: ClusterFacts,
): readonly GoJsonObject[] | RenderFault {
  const secrets: GoJsonObject[] = [];
  for (const source of sources) {
    const some = source.secrets(cluster, facts);
    if ('error' in some) return some;
    secrets.push(...some);
  }
  return secrets;
}

function classOfSources(sources: readonly SourceRenderer[], facts: ClusterFacts): RenderClass {
  const classes = sources.map((source) => source.classOf(facts));
  return {
    key: classes.map(({ key }) => key).join('\n'),
    kubernetesVersion: classes.find((each) => each.kubernetesVersion !== '')?.kubernetesVersion ?? '',
  };
}

/** The class of all clusters if there are no sources. */
const onlyClass: RenderClass = { key: '', kubernetesVersion: '' };

/** A source has no tags: its braces are those of Go templates. */
const withoutTags: ManifestText = { texts: [''], tags: [] };

/** A fault of a source is at the manifest, unless it is in the annotation of a ManagedClusterAddOn or in a configuration. */
function atSource(fault: RenderFault, path: FieldPath): RenderFault {
  if (fault.code === 'FW6003' || fault.code === 'FW6004' || fault.code === 'FW6035') return fault;
  return { ...fault, path: [...path, ...(fault.path ?? [])] };
}

/** Returns an object as addon-framework's agents do: they do not decorate workloads, and do not move objects. */
function asAgentRenders(object: GoJsonObject, manifest: number, hub: HubVersion): RenderedObject {
  const isHook = isPreDeleteHook(object, hub.preDeleteHookLabel);
  return { object, isHook, manifest, ...convertWorkload(object, hub.kubernetesMinor) };
}

function decorated(
  object: GoJsonObject,
  workload: WorkloadResource,
  decoration: WorkloadDecoration,
  preset: readonly EnvironmentVariable[],
): RenderedObject {
  const environment = [...preset, ...decoration.environment];
  return {
    object: decorateWorkload(object, workload, { ...decoration, environment }),
    workload,
    isHook: false,
  };
}

/**
 * Parses a manifest with its variables replaced, and moves it to the install namespace. The other changes to a workload do not
 * depend on the order.
 */
function prepare(
  text: ManifestText,
  values: ReadonlyMap<string, string>,
  settings: Settings,
  hub: HubVersion,
): Prepared {
  if (text.unclosed !== undefined) return { error: 'Cannot find end tag="}}"', code: 'FW6002' };
  const substituted = substitute(text, values);
  const parsed = parseGoJson(substituted);
  if ('error' in parsed) return { error: parsed.error, code: 'FW6001' };
  const object = parsed.value;
  if (!isGoJsonObject(object) || groupVersionKind(object).kind === '') {
    return { error: `Object 'Kind' is missing in '${substituted}'`, code: 'FW6001' };
  }
  const isHook = isPreDeleteHook(object, hub.preDeleteHookLabel);
  const { object: workload, ...rest } = { object, isHook, ...convertWorkload(object, hub.kubernetesMinor) };
  return move({ object: withReplicas(workload, settings.replicas ?? []), ...rest }, settings);
}

function move({ object, ...rest }: RenderedObject, { installNamespace }: Settings): Prepared {
  const moved = decorateNamespace(object, installNamespace);
  return 'error' in moved ? moved : { ...moved, ...rest };
}

/** Returns the decoration of every workload on every cluster, before its preset variables. Failures are in the hub's order. */
function workloadDecoration(
  addOn: string,
  template: AddOnTemplateV1alpha1,
  { nodePlacement, registries = [], proxy, resources = [] }: Settings,
): WorkloadDecoration | RenderFault {
  const registered = registrationVolumes(addOn, template);
  if ('error' in registered) return registered;
  if (nodePlacement !== undefined && 'error' in nodePlacement) return nodePlacement;
  if ('error' in registries) return registries;
  if ('error' in resources) return resources;
  const proxied = proxyDecoration(addOn, proxy);
  return {
    environment: proxied.environment,
    mounts: [...registered.mounts, ...proxied.mounts],
    volumes: [...registered.volumes, ...proxied.volumes],
    ...(nodePlacement === undefined ? {} : { nodePlacement }),
    registries,
    resources,
  };
}
