import { isJsonMap } from '../../base/json/json-map.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Inventory } from '../model/inventory.ts';
import { sensitiveAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { secretVariables, withoutSecretVariables } from './secret-variables.ts';
import {
  changedSecretMask,
  maskedLeaves,
  maskedPair,
  secretKind,
  secretMask,
  withoutSecrets,
} from './secrets.ts';

/** The values that reports mask besides those of Secrets. */
export interface SensitiveSettings {
  /** Names of customized variables. `*` matches any characters. */
  readonly variables: readonly string[];
  readonly fields: readonly SensitiveField[];
}

/** A field of a kind whose values are masked, with everything below it. */
export interface SensitiveField {
  readonly kind: string;
  /** As reports print it: `data[config.yaml]`. `*` matches any key or entry. */
  readonly path: string;
}

export const nothingSensitive: SensitiveSettings = { variables: [], fields: [] };

/** The objects of a state that decide which values are sensitive. */
export type SensitiveInputs = Pick<Inventory, 'addOnTemplates' | 'addOnDeploymentConfigs'>;

interface Rule {
  readonly kind: string;
  readonly steps: readonly string[];
}

/**
 * Masks sensitive values: content of Secrets, the fields and variables of the settings, variables that templates insert into
 * Secrets, and what is rendered from all of these variables.
 */
export class SensitiveValues {
  readonly #variables: ReadonlySet<string>;
  readonly #rules: readonly Rule[];

  /** @param states - the states whose values are reported */
  constructor(
    states: readonly SensitiveInputs[],
    { variables, fields }: SensitiveSettings = nothingSensitive,
  ) {
    const patterns = variables.map(namePattern);
    const named = patterns.length === 0 ? [] : [...variableNames(states)];
    const annotated = annotatedAsSensitive(states);
    const rules = [...fields, ...annotated.fields].map(({ kind, path }) => ({ kind, steps: stepsOf(path) }));
    this.#variables = new Set([
      ...secretVariables(states),
      ...annotated.variables,
      ...named.filter((name) => patterns.some((pattern) => pattern.test(name))),
      ...(rules.some(isProxyRule) ? proxyVariables : []),
    ]);
    this.#rules = [...rules, ...renderedFields(states, this.#variables)];
  }

  /**
   * Returns a value with its sensitive parts masked.
   *
   * @param kind - the kind of the object that has the value; empty if it is unknown
   * @param path - the path of the value in the object
   * @param mask - the text for a value that is sensitive as a whole
   */
  masked(kind: string, path: string, value: unknown, mask: string = secretMask): unknown {
    if (value === undefined) return value;
    const shown = withoutSecretVariables(path, withoutSecrets(value), this.#variables, mask);
    const locations = this.#locations(kind, stepsOf(path), shown);
    if (locations.some(({ length }) => length === 0)) return maskedLeaves(shown, mask);
    return withMasks(
      shown,
      locations.map((location) => [location, secretMask]),
    );
  }

  /** Returns two states of an object with their sensitive values masked. If such a value differs, the mask shows that. */
  maskedPair(before: unknown, after: unknown): readonly [unknown, unknown] {
    const [from, to] = maskedPair(before, after);
    const masksOf = (value: unknown, mask: (location: FieldPath) => string) =>
      this.#locations(kindOf(value), [], value).map((location) => [location, mask(location)] as const);
    const mask = (location: FieldPath): string => {
      const earlier = valueAt(before, location);
      return earlier === undefined || goJson(earlier) === goJson(valueAt(after, location) ?? null)
        ? secretMask
        : changedSecretMask;
    };
    return [
      withMasks(
        from,
        masksOf(from, () => secretMask),
      ),
      withMasks(to, masksOf(to, mask)),
    ];
  }

  /** Returns an object with its sensitive values masked. */
  maskedObject<T extends object>(object: T): T {
    return this.maskedPair(undefined, object)[1] as T;
  }

  /** Returns the locations of sensitive values in a value. The value itself is an empty location. */
  #locations(kind: string, steps: readonly string[], value: unknown): FieldPath[] {
    if (this.#rules.length === 0 && this.#variables.size === 0) return [];
    const found: FieldPath[] = [];
    if (this.#isInjected(steps)) found.push([]);
    for (const rule of this.#rules)
      for (const rest of restsOf(rule, kind, steps)) found.push(...locationsAt(rest, value, []));
    this.#collectInside(value, [], steps.at(-1), found);
    return found;
  }

  /** Collects the locations inside of objects that a value contains, and in lists of environment variables. */
  #collectInside(
    value: unknown,
    at: FieldPath,
    field: string | number | undefined,
    found: FieldPath[],
  ): void {
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) {
        const isVariable =
          field === 'env' &&
          isJsonMap(entry) &&
          this.#variables.has(String(entry['name'])) &&
          'value' in entry;
        if (isVariable) found.push([...at, index, 'value']);
        this.#collectInside(entry, [...at, index], undefined, found);
      }
      return;
    }
    if (!isJsonMap(value)) return;
    for (const { kind, steps } of this.#rules)
      if (value['kind'] === kind) found.push(...locationsAt(steps, value, at));
    for (const [key, inner] of Object.entries(value)) this.#collectInside(inner, [...at, key], key, found);
  }

  /** Whether a path is the value of an environment variable that the hub sets from a sensitive variable. */
  #isInjected(steps: readonly string[]): boolean {
    const [list, name, field] = steps.slice(-3);
    return list === 'env' && field === 'value' && this.#variables.has(name ?? '');
  }
}

/**
 * Returns the steps of a rule that remain below a path: none if the path is at the field or below it. In an embedded manifest the
 * kind is not part of the path, so any kind counts.
 */
function restsOf(
  { kind: wanted, steps: rule }: Rule,
  kind: string,
  steps: readonly string[],
): (readonly string[])[] {
  const starts = steps.flatMap((step, index) => (step === 'manifests' ? [index + 2] : []));
  if (kind === wanted || kind === '') starts.push(0);
  return starts.flatMap((start) => {
    const path = steps.slice(start);
    // Above an embedded manifest, its own kind decides.
    if (start > steps.length || (start > 0 && path.length === 0)) return [];
    const isOnWay = path.every((step, index) => rule[index] === undefined || isPathStep(rule[index], step));
    return isOnWay ? [rule.slice(path.length)] : [];
  });
}

/** Returns the locations in a value that the steps of a path select. */
export function locationsAt(steps: readonly string[], value: unknown, at: FieldPath): FieldPath[] {
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined ? [] : [at];
  if (Array.isArray(value))
    return value.flatMap((entry: unknown, index) =>
      isStep(step, String(index)) || (isJsonMap(entry) && isStep(step, String(entry['name'])))
        ? locationsAt(rest, entry, [...at, index])
        : [],
    );
  if (!isJsonMap(value)) return [];
  return Object.keys(value).flatMap((key) =>
    isStep(step, key) ? locationsAt(rest, value[key], [...at, key]) : [],
  );
}

function isStep(wanted: string, step: string): boolean {
  return wanted === '*' || wanted === step;
}

/** Whether a step of a path may be the wanted one. The path of an entry has its position if two entries have one name. */
function isPathStep(wanted: string, step: string): boolean {
  return isStep(wanted, step) || /^\d+$/.test(step);
}

/** Returns the steps of a path. In brackets, a dot belongs to the key. */
export function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
}

type Masks = readonly (readonly [location: FieldPath, mask: string])[];

/** Returns a value with masks at locations. Returns the same value if there are none. */
function withMasks(value: unknown, masks: Masks): unknown {
  const whole = masks.find(([{ length }]) => length === 0);
  if (whole !== undefined) return maskedLeaves(value, whole[1]);
  if (masks.length === 0) return value;
  const below = (key: string | number): Masks =>
    masks.flatMap(([[first, ...rest], mask]) => (first === key ? [[rest, mask] as const] : []));
  if (Array.isArray(value)) return value.map((entry: unknown, index) => withMasks(entry, below(index)));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withMasks(inner, below(key))]));
}

export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      Array.isArray(inner) ? inner[Number(step)] : isJsonMap(inner) ? inner[step] : undefined,
    value,
  );
}

function kindOf(value: unknown): string {
  return isJsonMap(value) && typeof value['kind'] === 'string' ? value['kind'] : '';
}

export function namePattern(written: string): RegExp {
  const parts = written.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** The names in double braces, as templates insert variables. */
const inserted = /\{\{\s*(\w+)\s*\}\}/g;

/** The variables that the hub sets from the proxy of a configuration, in containers and for templates. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

function isProxyRule({ kind, steps: [spec = '', field = '*'] }: Rule): boolean {
  return kind === 'AddOnDeploymentConfig' && isStep(spec, 'spec') && isStep(field, 'proxyConfig');
}

/** Returns the sensitive parameters, of which the AddOnDeploymentConfigs have annotations. */
function annotatedAsSensitive(states: readonly SensitiveInputs[]): SensitiveSettings {
  const lines = states.flatMap(({ addOnDeploymentConfigs }) =>
    [...addOnDeploymentConfigs.values()].flatMap(
      ({ object }) => object.metadata.annotations?.[sensitiveAnnotation]?.split('\n') ?? [],
    ),
  );
  const named = (kind: string): string[] =>
    [...new Set(lines)].flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []));
  return {
    variables: named('variable'),
    fields: named('field').map((field) => ({ kind: 'AddOnDeploymentConfig', path: `spec.${field}` })),
  };
}

function* variableNames(states: readonly SensitiveInputs[]): Generator<string> {
  for (const { addOnDeploymentConfigs } of states)
    for (const { object } of addOnDeploymentConfigs.values())
      for (const { name } of object.spec.customizedVariables ?? []) yield name;
}

function entryName(entry: unknown): string {
  return isJsonMap(entry) && typeof entry['name'] === 'string' ? entry['name'] : '*';
}

/** Returns the fields of manifests into which templates insert sensitive variables. */
function renderedFields(states: readonly SensitiveInputs[], variables: ReadonlySet<string>): Rule[] {
  if (variables.size === 0) return [];
  const rules = new Map<string, Rule>();
  const collect = (kind: string, value: unknown, steps: readonly string[]): void => {
    if (Array.isArray(value)) for (const entry of value) collect(kind, entry, [...steps, entryName(entry)]);
    else if (isJsonMap(value))
      for (const [key, inner] of Object.entries(value)) collect(kind, inner, [...steps, key]);
    else if (
      typeof value === 'string' &&
      [...value.matchAll(inserted)].some(([, name = '']) => variables.has(name))
    )
      rules.set([kind, ...steps].join('\n'), { kind, steps });
  };
  for (const { addOnTemplates } of states)
    for (const { object } of addOnTemplates.values())
      for (const manifest of object.spec.agentSpec.workload?.manifests ?? [])
        if (manifest['kind'] !== secretKind) collect(kindOf(manifest), manifest, []);
  return [...rules.values()];
}
