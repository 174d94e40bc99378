import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import {
  chartValues,
  loadChart,
  renderChart,
  fieldTracer,
  valuePlace,
  type Chart,
  type ChartFault,
  type FieldOrigin,
  type RenderInput,
  type ValuePath,
} from '../../../engines/charts/index.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { textOf, type ValueMap } from '../../../engines/gotemplate/index.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { codes } from '../../model/codes.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { AgentValues } from '../agent-values/agent-values.ts';
import type { RenderFault } from '../fault.ts';
import type { RenderClass } from '../render-class.ts';
import { remedyForCall, remedyForDemand, valuesWithoutCalls } from './call-remedy.ts';
import { GoTemplates } from './go-templates.ts';
import { clusterCapabilities } from './chart-capabilities.ts';
import { isSameObject, withoutClusterSecrets, type RandomObject } from './cluster-secrets.ts';
import { readSource, type ManifestSource, type SourceRules } from './manifest-source.ts';
import { readValues } from './read-values.ts';
import { isDelivered, releaseObjects, type ReleaseInputs } from './release-objects.ts';
import { sourceValues, type ClusterFacts, type SourceInputs } from './source-values.ts';

/** The objects that a source renders for a cluster, or the first fault. */
export type SourceObjects =
  | {
      readonly objects: readonly RenderedObject[];
      /** Secrets of a chart that are not delivered. @default - none */
      readonly undelivered?: readonly GoJsonObject[];
      readonly warnings: readonly RenderFault[];
    }
  | RenderFault;

/** An object and the file of the source that it comes from. */
export interface RenderedObject {
  readonly object: GoJsonObject;
  readonly file: string;
}

/** A source that is loaded: its charts and templates are parsed. */
export interface LoadedSource {
  readonly source: ManifestSource;
  /** What the source asks for and nobody does, on all clusters. Renderings have these warnings, too. */
  readonly warnings: readonly RenderFault[];
  /** Whether the objects are in the order of a release of Helm. */
  readonly isRelease: boolean;
  /** Whether two clusters that differ by nothing but the version of Kubernetes can have different manifests. */
  readonly readsKubernetesVersion: boolean;
  /** @param onClusterName - is called if two clusters with equal facts can have different manifests */
  render(
    values: AgentValues,
    addOn: string,
    kubernetesVersion: string,
    onClusterName?: () => void,
  ): SourceObjects;
  /** Returns the Secrets of a chart that are not delivered, with new random values at each call. Go templates have none. */
  secrets?(
    values: AgentValues,
    addOn: string,
    kubernetesVersion: string,
  ): readonly GoJsonObject[] | RenderFault;
  /** Returns the values of a chart. Go templates have none. */
  chartValues?(values: AgentValues, addOn: string, kubernetesVersion: string): ChartValues | RenderFault;
  /** Returns what finds the places that write fields. It renders once for all fields. */
  tracer(values: AgentValues, addOn: string, kubernetesVersion: string): SourceTracer;
  /** Returns where a values.yaml of a chart has a value. */
  placeOf?(path: ValuePath): { readonly file: string; readonly line: number } | undefined;
}

/** Returns the places that write a field, in the order of the output. */
type SourceTracer = (field: WantedField, options?: { readonly tries?: boolean }) => readonly FieldOrigin[];

/** The values of a chart on a cluster, as its templates see them. */
export interface ChartValues {
  readonly chart: string;
  readonly values: ValueMap;
}

/** A field of a rendered object. */
export interface WantedField {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly path: FieldPath;
}

/** A place of a template that writes a field, and the values that it reads. */
export interface SourceOrigin {
  /** A file of the source, such as `templates/deployment.yaml`. */
  readonly file: string;
  /** The line of the action, from 1. Absent if the text of the file is the value. */
  readonly line?: number;
  readonly values: readonly ReadValue[];
}

/** A value that a template reads. */
export interface ReadValue {
  /** Such as `image.tag`, or `Release.Name` for what is not among the values. */
  readonly path: string;
  /** The strongest layer that sets it. Absent if nothing does. */
  readonly layer?: string;
  /** Where the layer has it: in a file of the chart, or in the values of the source. */
  readonly writtenAt?: { readonly file: string; readonly line: number } | { readonly field: FieldPath };
}

const loaded = new Map<SourceRules, WeakMap<GoJsonObject, LoadedSource | RenderFault>>();

/** Renders a source for clusters with one configuration. */
export interface SourceRenderer {
  /** Whether the objects are in the order of a release of Helm. */
  readonly isRelease: boolean;
  render(cluster: string, facts: ClusterFacts): SourceObjects;
  /** Returns the Secrets of a chart that are not delivered to a cluster, with new random values at each call. */
  secrets(cluster: string, facts: ClusterFacts): readonly GoJsonObject[] | RenderFault;
  /** Returns the values of a chart on a cluster. Undefined if the source is not a chart. */
  chartValues(cluster: string, facts: ClusterFacts): ChartValues | RenderFault | undefined;
  /** Returns the class of a cluster. With an equal key, manifests differ by nothing but the name of the cluster. */
  classOf(facts: ClusterFacts): RenderClass;
}

/** Returns a renderer. Clusters with equal values share one rendering, unless a template reads the cluster's name. */
export function sourceRenderer(manifest: GoJsonObject, inputs: SourceInputs): SourceRenderer {
  const ready = loadSource(manifest, inputs.rules);
  if ('error' in ready)
    return {
      isRelease: false,
      render: () => ready,
      secrets: () => ready,
      chartValues: () => ready,
      classOf: () => ({ key: '', kubernetesVersion: '' }),
    };
  const { source, readsKubernetesVersion } = ready;
  const readsAnnotation = source.functions.some((each) => each.function === 'GetValuesFromAddonAnnotation');
  const classOf = ({ annotation, installNamespace, hostingCluster, ...facts }: ClusterFacts): RenderClass => {
    const kubernetesVersion = readsKubernetesVersion ? facts.kubernetesVersion : '';
    const read = [
      readsAnnotation ? annotation : undefined,
      installNamespace,
      hostingCluster !== undefined,
      kubernetesVersion,
    ];
    return { key: JSON.stringify(read), kubernetesVersion };
  };
  /** By the class of the clusters, if their names are not read. */
  const shared = new Map<string, SourceObjects>();
  const rendered = new Map<string, SourceObjects>();
  const renderOn = (key: string, cluster: string, facts: ClusterFacts): SourceObjects => {
    const values = sourceValues(source, inputs, cluster, facts);
    if ('error' in values) return values;
    let isOwn = false;
    const objects = ready.render(values, inputs.addOn, facts.kubernetesVersion, () => (isOwn = true));
    if (!isOwn) shared.set(key, objects);
    return objects;
  };
  return {
    isRelease: ready.isRelease,
    classOf,
    secrets: (cluster, facts) => {
      const values = sourceValues(source, inputs, cluster, facts);
      return 'error' in values
        ? values
        : (ready.secrets?.(values, inputs.addOn, facts.kubernetesVersion) ?? []);
    },
    chartValues: (cluster, facts) => {
      const values = sourceValues(source, inputs, cluster, facts);
      return 'error' in values ? values : ready.chartValues?.(values, inputs.addOn, facts.kubernetesVersion);
    },
    render: (cluster, facts) => {
      const { key } = classOf(facts);
      return (
        shared.get(key) ??
        getOrInsertComputed(rendered, `${key}${cluster}`, () => renderOn(key, cluster, facts))
      );
    },
  };
}

/**
 * Returns what finds the actions of a source that write a field on a cluster. If no action does, it returns the files whose text has
 * the field, with the values that decide which text that is.
 */
export function sourceOrigins(
  manifest: GoJsonObject,
  inputs: SourceInputs,
  cluster: string,
  facts: ClusterFacts,
): (field: WantedField) => readonly SourceOrigin[] {
  const ready = loadSource(manifest, inputs.rules);
  if ('error' in ready) return () => [];
  const values = sourceValues(ready.source, inputs, cluster, facts);
  if ('error' in values) return () => [];
  const trace = ready.tracer(values, inputs.addOn, facts.kubernetesVersion);
  return (field) => {
    const origins = trace(field);
    const actions = origins.filter(({ isText }) => !isText);
    if (actions.length === 0)
      return [...new Set(origins.map(({ file }) => file))].map((file) => ({
        file,
        values: origins
          .filter((each) => each.file === file)
          .flatMap((each) => readValues(each, ready, values)),
      }));
    return actions.map((action) => ({
      file: action.file,
      line: action.line,
      values: readValues(action, ready, values),
    }));
  };
}

/**
 * Returns a source with its templates parsed, once for all its uses.
 *
 * @param rules - those of a chart that states none
 */
export function loadSource(manifest: GoJsonObject, rules: SourceRules): LoadedSource | RenderFault {
  const cache = getOrInsertComputed(loaded, rules, () => new WeakMap());
  return getOrInsertComputed(cache, manifest, () => load(manifest, rules));
}

function load(manifest: GoJsonObject, rules: SourceRules): LoadedSource | RenderFault {
  const source = readSource(manifest);
  if ('error' in source) return source;
  return source.kind === 'helm' ? loadedChart(source, source.rules ?? rules) : loadedTemplates(source);
}

function loadedChart(source: ManifestSource, rules: SourceRules): LoadedSource | RenderFault {
  const isHelm = rules === 'helm';
  const { chart, faults } = loadChart(source.archive ?? source.files, {
    rules: isHelm ? 'helm' : 'embedded',
    program: 'addon-framework',
  });
  const first = faults.find(isError);
  if (chart === undefined || first !== undefined) return chartFault(first);
  if (!isHelm && source.clusterSecrets.length > 0) return unreadNames;
  const warnings = faults.map(chartFault);
  const remedies = new Map<string, string>();
  return {
    source,
    warnings,
    isRelease: isHelm,
    readsKubernetesVersion:
      source.archive !== undefined ||
      canRead(source.files, kubernetesVersion) ||
      (isHelm && chart.kubeVersion !== ''),
    render: (values, addOn, version, onClusterName) => {
      const onTopValue = (name: string): void => {
        if (name === 'clusterName') onClusterName?.();
      };
      const input = { ...renderInput(source, rules, values, addOn, version), onTopValue };
      const rendered = renderedChart(chart, input, source, rules, (secrets) =>
        waysAround(secrets, chart, input, remedies),
      );
      return 'error' in rendered
        ? withRemedy(rendered, chart, input, remedies)
        : { ...rendered, warnings: [...warnings, ...rendered.warnings] };
    },
    secrets: (values, addOn, version) => {
      const input = renderInput(source, rules, values, addOn, version);
      const rendered = renderedChart(chart, input, source, rules);
      if ('error' in rendered) return rendered;
      const { undelivered = [] } = rendered;
      if (undelivered.length === 0) return [];
      const { manifests, faults: found } = renderChart(chart, { ...input, isRandom: true });
      const fault = found.find(isError);
      if (fault !== undefined) return chartFault(fault);
      const { objects } = releaseObjects(manifests, releaseInputs(source, input));
      return objects.flatMap(({ object }) =>
        undelivered.some((secret) => isSameObject(secret, object)) ? [object] : [],
      );
    },
    chartValues: (values, addOn, version) => {
      const read = chartValues(chart, renderInput(source, rules, values, addOn, version));
      return 'faults' in read ? chartFault(read.faults[0]) : { chart: chart.name, values: read.values };
    },
    tracer: (values, addOn, version) => {
      const input = renderInput(source, rules, values, addOn, version);
      const { manifests } = renderChart(chart, input);
      const tracer = fieldTracer(chart, input);
      return (field, options) => {
        const manifest = manifests.find(({ object }) =>
          isWanted(object, field, isHelm ? values.installNamespace : ''),
        );
        return manifest === undefined ? [] : tracer.origins(manifest, field.path, options);
      };
    },
    placeOf: (path) => valuePlace(chart, path),
  };
}

function renderInput(
  { strict, now, capabilities }: ManifestSource,
  rules: SourceRules,
  { values, addedValues, installNamespace }: AgentValues,
  addOn: string,
  reported: string,
): RenderInput {
  const version = reported === '' ? (capabilities.kubeVersion ?? '') : reported;
  const release = { name: addOn, namespace: installNamespace };
  if (rules === 'addon-framework')
    return { values, release, capabilities: { kubeVersion: { version } }, strict, now };
  return {
    values,
    addedValues,
    isUsed: isDelivered,
    separatesSecrets: true,
    release: { ...release, isInstall: true, revision: 1 },
    capabilities: clusterCapabilities(version, capabilities),
    strict,
    now,
  };
}

/** Whether a template fails because it compares a version that is empty or invalid. As Masterminds/semver ErrInvalidSemVer. */
export function comparesNoVersion({ error }: RenderFault): boolean {
  return /invalid semantic version/i.test(error);
}

/** Adds what to write into the HelmChart, if that can be found. The search is the same for all clusters. */
function withRemedy(
  fault: RenderFault,
  chart: Chart,
  input: RenderInput,
  remedies: Map<string, string>,
): RenderFault {
  if (comparesNoVersion(fault) && input.capabilities.kubeVersion.version === '')
    return {
      ...fault,
      hint: "these clusters report no version of Kubernetes: run `fleetwright fleet pull`, or write `kubeVersion: '1.34'` into the HelmChart",
    };
  if (fault.code !== 'FW6028' && !fault.error.startsWith('execution error at ')) return fault;
  const hint = getOrInsertComputed(remedies, fault.error, () =>
    fault.code === 'FW6028' ? remedyForCall(chart, input, fault) : remedyForDemand(chart, input),
  );
  return { ...fault, hint };
}

/** Returns the values with which a chart has no random Secrets. Their names can have that of a cluster, so it does not count. */
function waysAround(
  secrets: readonly RandomObject[],
  chart: Chart,
  input: RenderInput,
  remedies: Map<string, string>,
): string {
  const key = JSON.stringify(secrets.map(({ file, keys }) => [file, keys]));
  return getOrInsertComputed(
    remedies,
    key,
    () => valuesWithoutCalls(chart, { ...input, separatesSecrets: false }).words,
  );
}

/** The names would have no effect, and what they name would be delivered over what is on the clusters. */
const unreadNames: RenderFault = {
  error:
    "spec.clusterSecrets is read only by Helm's rules, and the chart is rendered by those of addon-framework",
  code: 'FW6036',
  path: ['spec', 'clusterSecrets'],
  hint: 'remove it, or set delivery: compiled on the ClusterManagementAddOn',
};

/** @param releaseNamespace - of objects without one */
function isWanted(
  object: GoJsonObject,
  { kind, name, namespace = '' }: WantedField,
  releaseNamespace: string,
): boolean {
  if (object['kind'] !== kind || nameOf(object) !== name) return false;
  const own = namespaceOf(object);
  return own === namespace || (own === '' && namespace === releaseNamespace);
}

/** @param otherWays - as that of `withoutClusterSecrets`. @default - none */
function renderedChart(
  chart: Chart,
  input: RenderInput,
  source: ManifestSource,
  rules: SourceRules,
  otherWays: (secrets: readonly RandomObject[]) => string = () => '',
): SourceObjects {
  const rendered = renderChart(chart, input);
  const first = rendered.faults.find(isError);
  if (first !== undefined) return chartFault(first);
  const warnings = rendered.faults.map(chartFault);
  if (rules === 'addon-framework') return { objects: rendered.manifests, warnings };
  const inputs = releaseInputs(source, input);
  const divided = withoutClusterSecrets(rendered, source.clusterSecrets, inputs, otherWays);
  const { objects, warnings: ofRelease } = releaseObjects(divided.manifests, inputs);
  return {
    objects,
    undelivered: divided.undelivered,
    warnings: [...warnings, ...ofRelease, ...divided.warnings],
  };
}

function releaseInputs({ scopes }: ManifestSource, { release }: RenderInput): ReleaseInputs {
  return { namespace: release.namespace, scopes };
}

function loadedTemplates(source: ManifestSource): LoadedSource | RenderFault {
  const templates = GoTemplates.parse(source.files);
  if ('error' in templates) return templates;
  const readsClusterName = canRead(source.files, clusterName);
  return {
    source,
    warnings: [],
    isRelease: false,
    readsKubernetesVersion: false,
    render: ({ values }, _addOn, _version, onClusterName) => {
      if (readsClusterName) onClusterName?.();
      const objects = templates.render(values);
      return 'error' in objects ? objects : { objects, warnings: [] };
    },
    tracer:
      ({ values }) =>
      (field) =>
        templates.origins(values, (object) => isWanted(object, field, ''), field.path),
  };
}

/** How a template reads a value: by its name, or with the values as a whole that contain it. */
const clusterName = /clusterName|\.Values(?![.\w])/i;
const kubernetesVersion = /Capabilities/;
/** An argument that is the whole data contains every value. So can a text that is a template, or a packed subchart. */
const wholeData = /\{\{-?\s*[.$]\s*[|}]|\s[.$](?=\s*[)|}])|\btpl\b/;
const withArguments = /\b(?:include|template)\s+(?:"[^"]*"|\S+)\s+[.$](?=\s*[)|}-])/g;

/**
 * Whether a template can read a value. Templates that get the whole data as an argument are themselves among the files.
 */
function canRead(files: ReadonlyMap<string, Uint8Array>, value: RegExp): boolean {
  return [...files].some(([file, bytes]) => {
    if (file === 'Chart.yaml' || file === 'values.yaml') return false;
    if (file.endsWith('.tgz')) return true;
    const text = textOf(bytes);
    return value.test(text) || wholeData.test(text.replaceAll(withArguments, ''));
  });
}

function isError({ code }: ChartFault): boolean {
  return codes[code].severity === 'error';
}

function chartFault(fault: ChartFault | undefined): RenderFault {
  if (fault === undefined) return { error: 'the chart cannot be loaded', code: 'FW6036' };
  const { code, message, file, line, column, hint } = fault;
  const place = [file, line].filter((part) => part !== undefined).join(':');
  const location = [file, line, column].filter((part) => part !== undefined).join(':');
  return {
    // Most messages of Helm have the location.
    error: location === '' || message.includes(place) ? message : `${location}: ${message}`,
    code,
    ...(hint === undefined ? {} : { hint }),
  };
}
