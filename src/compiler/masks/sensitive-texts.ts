import { oncePerPart } from '../../base/collections/joined-lists.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileLocation } from '../model/origin.ts';
import { variablesOfSecrets } from './secret-variables.ts';
import { contentFields, secretKind, secretMask } from './secrets.ts';
import { locationsAt, namePattern, stepsOf, valueAt, type SensitiveSettings } from './sensitive-values.ts';

/** Shorter values are words that occur anywhere, such as a number of replicas. They are masked only where they are quoted. */
const shortestText = 4;

/**
 * Returns a function that masks the sensitive values of inputs in the texts of findings. A finding whose source line contains such a
 * value is marked, so that reports do not print the line.
 *
 * @param objects - as they were read: they can be invalid
 * @param lineAt - returns a line of a source; undefined if it is not available
 */
export function findingMask(
  objects: readonly object[],
  settings: SensitiveSettings,
  lineAt: (location: FileLocation) => string | undefined,
): (diagnostics: readonly Diagnostic[]) => readonly Diagnostic[] {
  // Most inputs have no findings.
  let texts: readonly string[] | undefined;
  const masked = (text: string): string => (texts ?? []).reduce(maskedIn, text);
  const maskedFinding = (finding: Diagnostic): Diagnostic => {
    const { message, hint, related, location } = finding;
    const place = location === undefined ? undefined : 'file' in location ? location : location.source;
    const line = place && lineAt(place);
    return {
      ...finding,
      message: masked(message),
      ...(hint !== undefined && { hint: masked(hint) }),
      ...(related && { related: related.map((each) => ({ ...each, message: masked(each.message) })) }),
      ...(line !== undefined && masked(line) !== line && { hidesSource: true }),
    };
  };
  return (diagnostics) => {
    if (diagnostics.length === 0) return diagnostics;
    texts ??= sensitiveTexts(objects, settings);
    return texts.length === 0 ? diagnostics : diagnostics.map(maskedFinding);
  };
}

function maskedIn(text: string, value: string): string {
  const quoted = text.replaceAll(JSON.stringify(value), `"${secretMask}"`);
  return value.length < shortestText ? quoted : quoted.replaceAll(value, secretMask);
}

/** What makes values of an object sensitive, apart from Secrets. */
interface SensitiveRules {
  readonly isVariable: (name: string) => boolean;
  readonly fields: readonly { readonly kind: string; readonly steps: ReturnType<typeof stepsOf> }[];
}

/** The texts of an object, and the rules that they were collected by. */
const collected = new WeakMap<object, { readonly rules: string; readonly texts: ReadonlySet<string> }>();

/** Returns the sensitive values as texts, the longest first: one may contain another. */
function sensitiveTexts(all: readonly object[], { variables, fields }: SensitiveSettings): string[] {
  // Clusters have neither variables nor manifests, and a fleet has thousands.
  const objects = fields.length > 0 ? all : withoutClusters(all);
  const patterns = variables.map(namePattern);
  const fromSecrets = variablesOfSecrets(manifestsIn(objects));
  const rules: SensitiveRules = {
    isVariable: (name) => fromSecrets.has(name) || patterns.some((pattern) => pattern.test(name)),
    fields: fields.map(({ kind, path }) => ({ kind, steps: stepsOf(path) })),
  };
  const key = JSON.stringify([variables, fields, [...fromSecrets].sort()]);
  const texts = new Set<string>();
  for (const object of objects) {
    const known = collected.get(object);
    const own = known?.rules === key ? known.texts : textsIn(object, rules);
    if (known?.texts !== own) collected.set(object, { rules: key, texts: own });
    for (const text of own) texts.add(text);
  }
  for (const value of sensitiveParameterValues(objects)) collect(value, texts);
  return [...texts].sort((a, b) => b.length - a.length);
}

const withoutClusters = oncePerPart((part: readonly object[]) =>
  part.filter((object) => valueAt(object, ['kind']) !== 'ManagedCluster'),
);

function textsIn(object: object, { isVariable, fields }: SensitiveRules): ReadonlySet<string> {
  const texts = new Set<string>();
  const visit = (value: unknown, field = ''): void => {
    if (Array.isArray(value)) {
      for (const entry of value) {
        if (lists.has(field) && isJsonMap(entry) && isVariable(String(entry['name'])))
          collect(entry['value'], texts);
        visit(entry);
      }
      return;
    }
    if (!isJsonMap(value)) return;
    if (value['kind'] === secretKind) for (const content of contentFields) collect(value[content], texts);
    for (const { kind, steps } of fields)
      if (value['kind'] === kind)
        for (const location of locationsAt(steps, value, [])) collect(valueAt(value, location), texts);
    for (const key of Object.keys(value)) visit(value[key], key);
  };
  visit(object);
  return texts.size === 0 ? noTexts : texts;
}

const noTexts: ReadonlySet<string> = new Set();

/** Returns the values that defaults and layers set for sensitive parameters. The objects can be invalid. */
function sensitiveParameterValues(objects: readonly object[]): unknown[] {
  const declarations = declarationsIn(objects);
  return declarations.flatMap((declaration) => {
    const parameters = valueAt(declaration, ['spec', 'parameters']);
    const declared = isJsonMap(parameters) ? Object.entries(parameters) : [];
    const sensitive = declared.filter(([, parameter]) => valueAt(parameter, ['sensitive']) === true);
    if (sensitive.length === 0) return [];
    const addOn = valueAt(declaration, ['metadata', 'name']);
    const holders = [
      declaration,
      ...objects.filter(
        (object) =>
          valueAt(object, ['kind']) === 'AddOnValues' && valueAt(object, ['spec', 'addOn']) === addOn,
      ),
    ];
    const layers = holders.flatMap((holder) => {
      const list = valueAt(holder, ['spec', 'layers']);
      return Array.isArray(list) ? (list as unknown[]) : [];
    });
    return sensitive.flatMap(([name, parameter]) => [
      valueAt(parameter, ['default']),
      ...layers.map((layer) => valueAt(layer, ['values', name])),
    ]);
  });
}

const declarationsIn = oncePerPart((part: readonly object[]) =>
  part.filter((object) => valueAt(object, ['kind']) === 'AddOnParameters'),
);

/** The lists whose entries are variables with a name and a value. */
const lists: ReadonlySet<string> = new Set(['customizedVariables', 'env']);

/** A text in double braces is the name of a variable. Its value is collected where it is set. */
const onlyVariable = /^\{\{\s*\w+\s*\}\}$/;

/** Collects a value, each of its lines, and its form in JSON. */
function collect(value: unknown, texts: Set<string>): void {
  if (Array.isArray(value) || isJsonMap(value)) {
    for (const inner of Object.values(value)) collect(inner, texts);
    return;
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return;
  const text = String(value);
  if (text.trim() === '' || onlyVariable.test(text)) return;
  texts.add(text);
  texts.add(JSON.stringify(text).slice(1, -1));
  for (const line of text.split('\n').map((each) => each.trim()))
    if (line.length >= shortestText && !onlyVariable.test(line)) texts.add(line);
}

/** Returns what is in the place of the manifests of templates. */
const manifestsIn = oncePerPart((part: readonly object[]) =>
  part.flatMap((object) => {
    const manifests = valueAt(object, ['spec', 'agentSpec', 'workload', 'manifests']);
    return Array.isArray(manifests) ? (manifests as unknown[]) : [];
  }),
);
