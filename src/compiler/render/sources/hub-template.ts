import { groupBy } from '../../../base/collections/groups.ts';
import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { textOf } from '../../../engines/gotemplate/index.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../../schemas/types.gen.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { series } from '../../model/words.ts';
import type { AgentValues } from '../agent-values/agent-values.ts';
import type { RenderFault } from '../fault.ts';
import { explained } from '../fault-diagnostics.ts';
import { mergeValues } from '../agent-values/merge-values.ts';
import { firstDifference, type Difference } from './rendered-difference.ts';
import {
  comparesNoVersion,
  loadSource,
  type LoadedSource,
  type RenderedObject,
  type SourceObjects,
} from './source-renderer.ts';
import type { SourceVariable } from './manifest-source.ts';
import { clusterFacts, sourceValues, valuesWith, variableValue } from './source-values.ts';
import type { ClusterVersion } from './template-clusters.ts';

/** What a source is converted for. */
export interface HubTemplateInputs {
  readonly addOn: string;
  readonly registers: boolean;
  /** The configurations whose customized variables the template must be right for. */
  readonly configs: readonly AddOnDeploymentConfigV1alpha1[];
  /** The names of the clusters that the template must be right for. */
  readonly clusters: readonly string[];
  /** Returns the versions of Kubernetes on the clusters that use the template. */
  readonly versions: () => readonly ClusterVersion[];
}

/** The value of each variable in one rendering. */
type VariableValues = ReadonlyMap<string, string>;

/** A value that differs between clusters, and its variable in an AddOnTemplate. */
interface HubVariable {
  readonly name: string;
  readonly variable: SourceVariable;
  /** Two texts that occur nowhere else. They differ in length, case and first letter. */
  readonly placeholders: readonly [string, string];
}

/**
 * Converts a source to manifests with variables, for an AddOnTemplate that the hub renders. The source is rendered twice with
 * different texts for each value that differs between clusters. Where both renderings have these texts, and nothing else differs,
 * the manifests get a variable. The result is then compared with a rendering for every cluster and every configuration. A source
 * that reads the version of Kubernetes is converted for each version of the clusters. The hub has one template for all of them, so
 * the results must be equal.
 *
 * @returns the manifests and the warnings of the source, or the value that does more than to replace a text
 */
export function hubManifests(
  manifest: GoJsonObject,
  inputs: HubTemplateInputs,
): { readonly manifests: readonly GoJsonObject[]; readonly warnings: readonly RenderFault[] } | RenderFault {
  const loaded = loadSource(manifest, 'addon-framework');
  if ('error' in loaded) return loaded;
  const [first = unknownVersion, ...others] = versionsRead(loaded, inputs.versions);
  const differing = new Set(others.flatMap(({ clusters }) => clusters));
  const remaining = inputs.clusters.filter((cluster) => !differing.has(cluster));
  const conversion = new Conversion(loaded, inputs, first);
  const converted = conversion.convert(remaining);
  if ('error' in converted) return converted;
  const warnings = [...conversion.warnings];
  for (const other of others) {
    const ofOther = new Conversion(loaded, inputs, other);
    const again = ofOther.convert(other.clusters);
    if ('error' in again) return again;
    const different = firstDifference(converted, again);
    if (different !== undefined) return disagreement(different, first, other);
    warnings.push(...ofOther.warnings);
  }
  const distinct = new Map(warnings.map((warning) => [warning.error, warning]));
  const random = [...distinct.values()].find(({ code }) => code === 'FW6053');
  if (random !== undefined) return undelivered(random);
  return { manifests: converted.map(({ object }) => object), warnings: [...distinct.values()] };
}

/** The hub has no Secret that the template does not have, and `render --secrets` knows only what compiled delivery renders. */
function undelivered({ error }: RenderFault): RenderFault {
  return {
    error,
    code: 'FW6037',
    hint: 'set delivery: compiled on the ClusterManagementAddOn, or create the Secrets on each cluster and name them in `clusterSecrets` of the HelmChart',
  };
}

const unknownVersion: ClusterVersion = { version: '', clusters: [] };

/**
 * Returns the versions for which a source can render different manifests. The version that the source states counts for clusters
 * that report none.
 */
function versionsRead(
  { source, readsKubernetesVersion }: LoadedSource,
  versions: HubTemplateInputs['versions'],
): readonly ClusterVersion[] {
  if (!readsKubernetesVersion) return [];
  const { kubeVersion = '' } = source.capabilities;
  const reported = versions();
  if (reported.length === 0) return [{ version: kubeVersion, clusters: [] }];
  const byVersion = groupBy(reported, ({ version }) => (version === '' ? kubeVersion : version));
  return Array.from(byVersion, ([version, alike]) => ({
    version,
    clusters: alike.flatMap(({ clusters }) => clusters),
  }));
}

function disagreement({ file, what }: Difference, one: ClusterVersion, other: ClusterVersion): RenderFault {
  return {
    error: `${file} reads the version of Kubernetes, which differs between its clusters: ${what} with ${onClusters(other)} than with ${onClusters(one)}`,
    code: 'FW6051',
    hint: 'set delivery: compiled on the ClusterManagementAddOn, or use one template for each version, each with its own Placement',
  };
}

function onClusters({ version, clusters }: ClusterVersion): string {
  return `${version === '' ? 'no version' : version} (${someOf(clusters)})`;
}

function someOf(clusters: readonly string[]): string {
  const [first = '', second = ''] = clusters;
  return clusters.length <= 3 ? series(clusters) : `${first}, ${second} and ${clusters.length - 2} others`;
}

class Conversion {
  readonly #loaded: LoadedSource;
  readonly #inputs: HubTemplateInputs;
  readonly #kubernetes: ClusterVersion;
  readonly #variables: readonly HubVariable[];
  /** Of the renderings for clusters. */
  readonly #warnings: RenderFault[] = [];

  constructor(loaded: LoadedSource, inputs: HubTemplateInputs, kubernetes: ClusterVersion) {
    this.#loaded = loaded;
    this.#inputs = inputs;
    this.#kubernetes = kubernetes;
    const { kind, variables } = loaded.source;
    const nameKey = kind === 'helm' ? 'clusterName' : 'ClusterName';
    const clusterName = { path: [nameKey], isJson: false, isParameter: false };
    this.#variables = [['CLUSTER_NAME', clusterName] as const, ...variables].map(
      ([name, variable], index) => ({
        name,
        variable,
        placeholders: [`fwq${index}zj`, `Xkw-${index}-${'v'.repeat(70)}q`],
      }),
    );
  }

  /** The warnings of the manifests, as the first cluster has them. */
  get warnings(): readonly RenderFault[] {
    return this.#warnings;
  }

  /** @param clusters - the names that the manifests must be right for */
  convert(clusters: readonly string[]): readonly RenderedObject[] | RenderFault {
    const [first, second] = [this.#render(this.#placeholders(0)), this.#render(this.#placeholders(1))];
    if ('error' in first) return this.#failed(first, this.#placeholders(0));
    if ('error' in second) return this.#failed(second, this.#placeholders(1));
    const [one, other] = [this.#withTags(first, 0), this.#withTags(second, 1)];
    const different = firstDifference(one, other);
    if (different !== undefined) return this.#blamed(different, one, this.#placeholders(1));
    return this.#verify(one, clusters) ?? one;
  }

  /** Compares the manifests with renderings for the values that clusters have. */
  #verify(converted: readonly RenderedObject[], clusters: readonly string[]): RenderFault | undefined {
    const { configs } = this.#inputs;
    const names = clusters.length === 0 ? ['cluster'] : clusters;
    const { variables } = this.#loaded.source;
    const sets = configs
      .map(variablesOf)
      .filter((set) => [...variables.keys()].some((name) => set.has(name)));
    // The hub replaces a variable without a value by nothing.
    const [first = new Map<string, string>(), ...others] = sets;
    const cases = [
      ...names.map((name) => [name, first] as const),
      ...others.map((set) => [names[0] ?? '', set] as const),
    ];
    for (const [name, set] of cases) {
      const values = new Map(this.#variables.map((each) => [each.name, set.get(each.name) ?? '']));
      values.set('CLUSTER_NAME', name);
      const rendered = this.#renderAll(values);
      if ('error' in rendered) return this.#failed(rendered, values);
      if (this.#warnings.length === 0) this.#warnings.push(...rendered.warnings);
      const different = firstDifference(withValues(converted, values), rendered.objects);
      if (different !== undefined) return this.#blamed(different, converted, values);
    }
    return undefined;
  }

  #placeholders(side: 0 | 1): VariableValues {
    return new Map(this.#variables.map(({ name, placeholders }) => [name, placeholders[side]]));
  }

  /** @param variables - those that are set; others have the defaults of the chart */
  #render(
    values: VariableValues,
    variables: readonly HubVariable[] = this.#variables,
  ): readonly RenderedObject[] | RenderFault {
    const rendered = this.#renderAll(values, variables);
    return 'error' in rendered ? rendered : rendered.objects;
  }

  /** Renders objects with their warnings. */
  #renderAll(values: VariableValues, variables: readonly HubVariable[] = this.#variables): SourceObjects {
    const set = this.#values(values, variables);
    return 'error' in set ? set : this.#loaded.render(set, this.#inputs.addOn, this.#kubernetes.version);
  }

  #values(
    values: VariableValues,
    variables: readonly HubVariable[] = this.#variables,
  ): AgentValues | RenderFault {
    const { source } = this.#loaded;
    const { addOn, registers } = this.#inputs;
    const name = values.get('CLUSTER_NAME') ?? '';
    const base = sourceValues(source, { addOn, registers }, name, clusterFacts(undefined, undefined));
    if ('error' in base) return base;
    const set = variables
      .map(({ name: ofVariable, variable }) => {
        // A placeholder is not JSON, and the hub replaces a variable without a value by nothing.
        const text = values.get(ofVariable) ?? '';
        return valuesWith(variable.path, variableValue(variable, text) ?? text);
      })
      .reduce(mergeValues, base.values);
    return { ...base, values: set };
  }

  #withTags(objects: readonly RenderedObject[], side: 0 | 1): readonly RenderedObject[] {
    const replace = (text: string): string =>
      this.#variables.reduce(
        (replaced, { name, placeholders }) => replaced.replaceAll(placeholders[side], `{{${name}}}`),
        text,
      );
    return objects.map(({ object, file }) => ({ object: mapTexts(object, replace) as GoJsonObject, file }));
  }

  /** @param values - with which the converted manifests differ from a rendering */
  #blamed(difference: Difference, converted: readonly RenderedObject[], values: VariableValues): RenderFault {
    const { file, what } = difference;
    const causes = this.#variables.filter((variable) => this.#changesMore(variable, converted, values));
    const suspects = causes.length > 0 ? causes : this.#variables;
    const uses = suspects.flatMap((variable) => this.#usesOf(variable, file));
    const [first] = causes;
    const blamed =
      uses.find(({ isPlain }) => !isPlain)?.words ??
      suspects
        .map((variable) => this.#tracedUse(variable, difference))
        .find((words) => words !== undefined) ??
      suspects.flatMap((variable) => this.#usesBelow(variable, file)).find(({ isPlain }) => !isPlain)
        ?.words ??
      uses[0]?.words ??
      (first === undefined ? `a variable in ${file}` : `${wordsOf(first)} in ${file}`);
    return { error: `${blamed} is more than an inserted text: ${what}`, code: 'FW6037' };
  }

  /** Returns the action that writes a field and reads a value, also in the templates that it includes. */
  #tracedUse(used: HubVariable, { object, path }: Difference): string | undefined {
    if (object === undefined) return undefined;
    const values = this.#values(this.#placeholders(0));
    if ('error' in values) return undefined;
    const { path: ofValue } = used.variable;
    const wanted = (this.#loaded.source.kind === 'helm' ? ['Values', ...ofValue] : ofValue).join('.');
    const field = {
      kind: groupVersionKind(object).kind,
      name: nameOf(object),
      namespace: namespaceOf(object),
      path,
    };
    const trace = this.#loaded.tracer(values, this.#inputs.addOn, this.#kubernetes.version);
    const origins = trace(field, { tries: false });
    const origin = origins.find(({ paths }) =>
      paths.some((read) => read === wanted || wanted.startsWith(`${read}.`)),
    );
    return origin && `${wordsOf(used)} in ${origin.file}:${origin.line}`;
  }

  /** Reports a template that fails because of placeholders, of values, or on its own. */
  #failed(fault: RenderFault, values: VariableValues): RenderFault {
    const { error } = fault;
    const { version, clusters } = this.#kubernetes;
    if (version === '' && comparesNoVersion(fault)) {
      const unknown =
        clusters.length === 0 ? 'which no cluster reports' : `which is unknown on ${someOf(clusters)}`;
      return {
        ...fault,
        error: `it compares the version of Kubernetes, ${unknown}: ${error}`,
        code: 'FW6051',
      };
    }
    const fails = (variables: readonly HubVariable[]): boolean => 'error' in this.#render(values, variables);
    const alone = this.#render(values, []);
    const failsAnyway = 'error' in alone;
    if (failsAnyway && alone.error === error)
      return { ...fault, hint: explained(fault).hint, code: 'FW6037' };
    const cause = this.#variables.find((variable) =>
      failsAnyway ? !fails(this.#variables.filter((each) => each !== variable)) : fails([variable]),
    );
    const blamed = cause === undefined ? 'a variable' : wordsOf(cause);
    return { error: `${blamed} is more than an inserted text: ${error}`, code: 'FW6037' };
  }

  /** Whether a value alone, beside placeholders, changes more than its text. */
  #changesMore({ name }: HubVariable, converted: readonly RenderedObject[], values: VariableValues): boolean {
    const alone = new Map([...this.#placeholders(0), [name, values.get(name) ?? '']]);
    const rendered = this.#render(alone);
    return 'error' in rendered || firstDifference(withValues(converted, alone), rendered) !== undefined;
  }

  /** Returns the lines of a file that use a value by its last key, if the file has the map that contains it. */
  #usesBelow(used: HubVariable, file: string): ValueUse[] {
    const { path } = used.variable;
    if (path.length === 1 || this.#usesOf(used, file, path.slice(0, -1).join('.')).length === 0) return [];
    return this.#usesOf(used, file, path.at(-1));
  }

  /** Returns the lines of a file that use a value. */
  #usesOf(used: HubVariable, file: string, value = used.variable.path.join('.')): ValueUse[] {
    return textOf(this.#loaded.source.files.get(file) ?? new Uint8Array())
      .split('\n')
      .flatMap((text, index) => {
        const actions = [...text.matchAll(/\{\{.*?\}\}/g)].filter(([action]) => action.includes(`.${value}`));
        if (actions.length === 0 && !text.includes(`.${value}`)) return [];
        return [
          {
            words: `${wordsOf(used)} in ${file}:${index + 1}`,
            isPlain: actions.length > 0 && actions.every(([action]) => plainInsertion.test(action)),
          },
        ];
      });
  }
}

const plainInsertion = /^\{\{-?\s*[.$][.\w]*\s*(?:\|\s*quote\s*)?-?\}\}$/;

function wordsOf({ name, variable: { path } }: HubVariable): string {
  return `${path.join('.')} (variable ${name})`;
}

/** The customized variables of a configuration. */
function variablesOf({ spec }: AddOnDeploymentConfigV1alpha1): Map<string, string> {
  return new Map((spec.customizedVariables ?? []).map(({ name, value = '' }) => [name, value]));
}

function withValues(objects: readonly RenderedObject[], values: VariableValues): readonly RenderedObject[] {
  return objects.map(({ object, file }) => ({ object: substituted(object, values), file }));
}

function substituted(object: GoJsonObject, values: VariableValues): GoJsonObject {
  return mapTexts(object, (text) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (tag, name: string) => values.get(name) ?? tag),
  ) as GoJsonObject;
}

function mapTexts(value: GoJsonValue | undefined, map: (text: string) => string): GoJsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: GoJsonValue) => mapTexts(item, map));
  if (!isGoJsonObject(value ?? null)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value as GoJsonObject).map(([key, item]) => [map(key), mapTexts(item, map)]),
  );
}

/** A line that uses a value. */
interface ValueUse {
  readonly words: string;
  /** Whether the line inserts the value, and does nothing else with it. */
  readonly isPlain: boolean;
}
