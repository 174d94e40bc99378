import { isDeepStrictEqual } from 'node:util';
import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../kubernetes/go/json.ts';
import { textOf } from '../../../gotemplate/index.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import type { RenderFault } from '../fault.ts';
import { mergeValues } from '../agent-values/merge-values.ts';
import { loadSource, type LoadedSource, type RenderedObject } from './source-renderer.ts';
import type { SourceVariable } from './manifest-source.ts';
import { clusterFacts, sourceValues, valuesWith, variableValue } from './source-values.ts';

/** What a source is converted for. */
export interface HubTemplateInputs {
  readonly addOn: string;
  readonly registers: boolean;
  /** The configurations whose customized variables the template must be right for. */
  readonly configs: readonly AddOnDeploymentConfigV1alpha1[];
  /** The names of the clusters that the template must be right for. */
  readonly clusters: readonly string[];
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
 * the manifests get a variable. The result is then compared with a rendering for every cluster and every configuration.
 *
 * @returns the manifests and the warnings of the source, or the value that does more than to replace a text
 */
export function hubManifests(
  manifest: GoJsonObject,
  inputs: HubTemplateInputs,
): { readonly manifests: readonly GoJsonObject[]; readonly warnings: readonly RenderFault[] } | RenderFault {
  const loaded = loadSource(manifest);
  if ('error' in loaded) return loaded;
  const converted = new Conversion(loaded, inputs).convert();
  return 'error' in converted ? converted : { ...converted, warnings: loaded.warnings };
}

class Conversion {
  readonly #loaded: LoadedSource;
  readonly #inputs: HubTemplateInputs;
  readonly #variables: readonly HubVariable[];

  constructor(loaded: LoadedSource, inputs: HubTemplateInputs) {
    this.#loaded = loaded;
    this.#inputs = inputs;
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

  convert(): { readonly manifests: readonly GoJsonObject[] } | RenderFault {
    const [first, second] = [this.#render(this.#placeholders(0)), this.#render(this.#placeholders(1))];
    if ('error' in first) return dependent(first);
    if ('error' in second) return dependent(second);
    const [one, other] = [this.#withTags(first, 0), this.#withTags(second, 1)];
    const different = firstDifference(one, other);
    if (different !== undefined) return this.#blamed(different, one, this.#placeholders(1));
    return this.#verify(one) ?? { manifests: one.map(({ object }) => object) };
  }

  /** Compares the manifests with renderings for the values that clusters have. */
  #verify(converted: readonly RenderedObject[]): RenderFault | undefined {
    const { clusters, configs } = this.#inputs;
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
      const rendered = this.#render(values);
      if ('error' in rendered) return dependent(rendered);
      const different = firstDifference(withValues(converted, values), rendered);
      if (different !== undefined) return this.#blamed(different, converted, values);
    }
    return undefined;
  }

  #placeholders(side: 0 | 1): VariableValues {
    return new Map(this.#variables.map(({ name, placeholders }) => [name, placeholders[side]]));
  }

  #render(values: VariableValues): readonly RenderedObject[] | RenderFault {
    const { source } = this.#loaded;
    const { addOn, registers } = this.#inputs;
    const name = values.get('CLUSTER_NAME') ?? '';
    const base = sourceValues(source, { addOn, registers }, name, clusterFacts(undefined, undefined));
    if ('error' in base) return base;
    const set = this.#variables
      .map(({ name: ofVariable, variable }) => {
        // A placeholder is not JSON, and the hub replaces a variable without a value by nothing.
        const text = values.get(ofVariable) ?? '';
        return valuesWith(variable.path, variableValue(variable, text) ?? text);
      })
      .reduce(mergeValues, base.values);
    const rendered = this.#loaded.render({ ...base, values: set }, addOn, '');
    return 'error' in rendered ? rendered : rendered.objects;
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
  #blamed(
    { file, what }: Difference,
    converted: readonly RenderedObject[],
    values: VariableValues,
  ): RenderFault {
    const causes = this.#variables.filter((variable) => this.#changesMore(variable, converted, values));
    const uses = (causes.length > 0 ? causes : this.#variables).flatMap((variable) =>
      this.#usesOf(variable, file),
    );
    const others = uses.filter(({ isPlain }) => !isPlain);
    const [place] = others.length > 0 ? others : uses;
    const blamed = place?.words ?? `a variable in ${file}`;
    return { error: `${blamed} is more than an inserted text: ${what}`, code: 'FW6037' };
  }

  /** Whether a value alone, beside placeholders, changes more than its text. */
  #changesMore({ name }: HubVariable, converted: readonly RenderedObject[], values: VariableValues): boolean {
    const alone = new Map([...this.#placeholders(0), [name, values.get(name) ?? '']]);
    const rendered = this.#render(alone);
    return 'error' in rendered || firstDifference(withValues(converted, alone), rendered) !== undefined;
  }

  /** Returns the lines of a file that use a value. */
  #usesOf(
    { name, variable: { path } }: HubVariable,
    file: string,
  ): { readonly words: string; readonly isPlain: boolean }[] {
    const value = path.join('.');
    return textOf(this.#loaded.source.files.get(file) ?? new Uint8Array())
      .split('\n')
      .flatMap((text, index) => {
        const actions = [...text.matchAll(/\{\{.*?\}\}/g)].filter(([action]) => action.includes(`.${value}`));
        if (actions.length === 0 && !text.includes(`.${value}`)) return [];
        return [
          {
            words: `${value} (variable ${name}) in ${file}:${index + 1}`,
            isPlain: actions.length > 0 && actions.every(([action]) => plainInsertion.test(action)),
          },
        ];
      });
  }
}

const plainInsertion = /^\{\{-?\s*[.$][.\w]*\s*(?:\|\s*quote\s*)?-?\}\}$/;

/** A template that fails because of a placeholder or a value. */
function dependent({ error }: RenderFault): RenderFault {
  return { error: `a template does more with a variable than to insert its text: ${error}`, code: 'FW6037' };
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

interface Difference {
  readonly file: string;
  readonly what: string;
}

function firstDifference(
  one: readonly RenderedObject[],
  other: readonly RenderedObject[],
): Difference | undefined {
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [a, b] = [one[i], other[i]];
    const file = a?.file ?? b?.file ?? '';
    if (a?.file !== b?.file) return { file, what: `${file} renders other objects` };
    const path = differentPath(a?.object ?? null, b?.object ?? null);
    if (path !== undefined) return { file, what: `${path.join('.')} has another value` };
  }
  return undefined;
}

function differentPath(a: GoJsonValue, b: GoJsonValue): string[] | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [];
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const path = differentPath(one.get(key) ?? null, other.get(key) ?? null);
    if (path !== undefined) return [key, ...path];
  }
  return [];
}
