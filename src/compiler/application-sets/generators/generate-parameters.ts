import { goJson, compareUtf8 } from '../../../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import { GenerationError, UnansweredError } from '../generation-error.ts';
import { combined, flattened, overridden, plainData, type Parameters } from '../parameters.ts';
import { clusterParameters } from './clusters.ts';
import { decidedParameters } from './cluster-decisions.ts';
import { textsIn, type GeneratorContext } from './context.ts';
import { gitParameters } from './git.ts';
import { matchesParameters } from './generator-selector.ts';
import { listParameters } from './list.ts';

/** The generators of Argo CD that read what no repository has. */
const unanswered: ReadonlySet<string> = new Set(['scmProvider', 'pullRequest', 'plugin']);

/** The parameters of one generator, and the template that it has itself. */
export interface Generated {
  readonly parameters: readonly Parameters[];
  readonly template: unknown;
}

/** Argo CD nests generators twice. */
const deepest = 3;

/**
 * Returns the parameters of an entry of `generators`, filtered by its selector. An entry can have several generators. As Transform
 * of Argo CD.
 *
 * @param outer - the parameters of the first generator of a matrix, for the second one
 * @throws {GenerationError} @throws {UnansweredError}
 */
export function generateParameters(
  entry: JsonMap,
  context: GeneratorContext,
  outer: Parameters = new Map(),
  depth = 1,
): readonly Generated[] {
  const names = Object.keys(entry).filter((name) => name !== 'selector' && isJsonMap(entry[name]));
  if (depth > deepest) throw new UnansweredError(`a generator inside of ${deepest} others`);
  return names.map((name) => {
    const written = entry[name] as JsonMap;
    const generator = outer.size === 0 ? written : replacedGenerator(name, written, outer, context);
    const parameters = ((): readonly Parameters[] => {
      switch (name) {
        case 'list':
          return listParameters(generator, context);
        case 'clusters':
          return clusterParameters(generator, context);
        case 'clusterDecisionResource':
          return decidedParameters(generator, context);
        case 'git':
          return gitParameters(generator, context);
        case 'matrix':
          return matrixParameters(generator, context, depth);
        case 'merge':
          return mergeParameters(generator, context, depth);
        default:
          throw new UnansweredError(
            unanswered.has(name) ? `the ${name} generator` : `the unknown generator "${name}"`,
          );
      }
    })();
    const { selector } = entry;
    return {
      parameters: isJsonMap(selector)
        ? parameters.filter((each) => matchesParameters(selector, flattened(each)))
        : parameters,
      template: written['template'],
    };
  });
}

/**
 * Returns a generator as Argo CD has it after it replaced parameters in it: absent selectors are empty ones. So a generator of
 * decisions that names one is an error there.
 */
function withSelectors(name: string, generator: JsonMap): JsonMap {
  const { generators, labelSelector } = generator;
  if (name === 'clusterDecisionResource')
    return {
      ...generator,
      labelSelector: {
        matchLabels: {},
        matchExpressions: [],
        ...(isJsonMap(labelSelector) && labelSelector),
      },
    };
  if ((name !== 'matrix' && name !== 'merge') || !isJsonList(generators)) return generator;
  const children = generators.map((entry) =>
    isJsonMap(entry)
      ? Object.fromEntries(
          Object.entries(entry).map(([key, each]) => [
            key,
            isJsonMap(each) ? withSelectors(key, each) : each,
          ]),
        )
      : entry,
  );
  return { ...generator, generators: children };
}

/** Replaces the parameters of the first generator of a matrix in the second one. Its `values` keep what they do not have. */
function replacedGenerator(
  name: string,
  generator: JsonMap,
  outer: Parameters,
  { replacement }: GeneratorContext,
): JsonMap {
  const replaced = replacement.deep(generator, outer, (key, value) => {
    // Elements of a list can have `values` too, which are not those of a generator.
    if (key === 'elements') return replacement.deep(value, outer);
    if (key !== 'values' || !isJsonMap(value)) return undefined;
    return Object.fromEntries(
      textsIn(value).map(([each, text]) => [each, replacement.textIfComplete(text, outer)]),
    );
  });
  return withSelectors(name, isJsonMap(replaced) ? replaced : {});
}

function childParameters(
  entry: unknown,
  context: GeneratorContext,
  depth: number,
  outer?: Parameters,
): readonly Parameters[] {
  const generated = isJsonMap(entry) ? generateParameters(entry, context, outer, depth + 1) : [];
  const [first] = generated;
  if (first === undefined) throw new GenerationError('child generator generated no parameters');
  if (generated.length > 1) throw new GenerationError('found more than one generator in matrix.Generators');
  return first.parameters;
}

function matrixParameters(
  { generators }: JsonMap,
  context: GeneratorContext,
  depth: number,
): readonly Parameters[] {
  const children = isJsonList(generators) ? generators : [];
  if (children.length !== 2)
    throw new GenerationError(
      `found ${children.length < 2 ? 'less' : 'more'} than two generators, Matrix support only two`,
    );
  const [first, second] = children;
  return childParameters(first, context, depth).flatMap((outer) =>
    childParameters(second, context, depth, outer).map((inner) =>
      context.replacement.usesGo ? overridden(inner, outer) : combined(outer, inner),
    ),
  );
}

function mergeParameters(
  { generators, mergeKeys }: JsonMap,
  context: GeneratorContext,
  depth: number,
): readonly Parameters[] {
  const children = isJsonList(generators) ? generators : [];
  if (children.length < 2)
    throw new GenerationError('found less than two generators, Merge requires two or more');
  const keys = new Set((isJsonList(mergeKeys) ? mergeKeys : []).map(String));
  const [base = [], ...overrides] = children.map((child) => childParameters(child, context, depth));
  const merged = new Map(byMergeKey(keys, base));
  for (const override of overrides.map((sets) => byMergeKey(keys, sets))) {
    for (const [key, parameters] of merged) {
      const overriding = override.get(key);
      if (overriding === undefined) continue;
      merged.set(
        key,
        context.replacement.usesGo
          ? overridden(parameters, overriding)
          : new Map([...parameters, ...overriding]),
      );
    }
  }
  // Argo CD takes them in random order.
  return [...merged.values()];
}

function byMergeKey(keys: ReadonlySet<string>, sets: readonly Parameters[]): ReadonlyMap<string, Parameters> {
  if (keys.size === 0) throw new GenerationError('no merge keys were specified, Merge requires at least one');
  const sorted = [...keys].sort(compareUtf8);
  const byKey = new Map<string, Parameters>();
  for (const parameters of sets) {
    const key = goJson(Object.fromEntries(sorted.map((name) => [name, plainData(parameters.get(name))])));
    if (byKey.has(key))
      throw new GenerationError(
        `the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique. Duplicate key was ${key}`,
      );
    byKey.set(key, parameters);
  }
  return byKey;
}
