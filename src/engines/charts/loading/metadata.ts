import { floatText, Integer, quoted, sortedKeys, type Value, type ValueMap } from '../../gotemplate/index.ts';
import type { ChartDependency, ChartMaintainer, ChartMetadata } from '../chart.ts';
import { parseVersion } from '../functions/semantic-version.ts';

/** Chart.yaml with a field of the wrong type, or that Helm rejects. The message is Helm's. */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
}

/** As `chart.Metadata`: the JSON name of each field, and its type in Go. */
const metadataFields = {
  name: 'string',
  home: 'string',
  sources: '[]string',
  version: 'string',
  description: 'string',
  keywords: '[]string',
  maintainers: '[]*chart.Maintainer',
  icon: 'string',
  apiVersion: 'string',
  condition: 'string',
  tags: 'string',
  appVersion: 'string',
  deprecated: 'bool',
  annotations: 'map[string]string',
  kubeVersion: 'string',
  dependencies: '[]*chart.Dependency',
  type: 'string',
} as const;

const maintainerFields = { name: 'string', email: 'string', url: 'string' } as const;

const dependencyFields = {
  name: 'string',
  version: 'string',
  repository: 'string',
  condition: 'string',
  tags: '[]string',
  enabled: 'bool',
  'import-values': '[]interface {}',
  alias: 'string',
} as const;

const structFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'chart.Metadata': metadataFields,
  'chart.Maintainer': maintainerFields,
  'chart.Dependency': dependencyFields,
};

/**
 * Decodes Chart.yaml, or the dependencies of requirements.yaml into an earlier result. As sigs.k8s.io/yaml: a number in a
 * field of type string becomes a text, and the case of field names does not matter.
 *
 * @throws {MetadataError}
 */
export function decodeMetadata(value: Value, earlier?: ValueMap): ValueMap {
  const fields: ValueMap = new Map(earlier);
  if (value === null) return fields;
  for (const [name, field] of structOf(value, 'chart.Metadata', 'Metadata')) fields.set(name, field);
  return fields;
}

function structOf(value: Value, type: string, path: string): ValueMap {
  if (!(value instanceof Map)) throw mismatch(value, type, path.includes('.') ? path : '');
  const types = structFields[type] ?? {};
  const byLowerCase = new Map(Object.keys(types).map((name) => [name.toLowerCase(), name]));
  const fields: ValueMap = new Map();
  for (const key of sortedKeys(value)) {
    const name = Object.hasOwn(types, key) ? key : byLowerCase.get(key.toLowerCase());
    const item = value.get(key);
    if (name !== undefined && item !== null)
      fields.set(name, typed(item, types[name] ?? '', `${path}.${name}`));
  }
  return fields;
}

function typed(value: Value, type: string, path: string): Value {
  if (type === 'string') return textOf(value, path);
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw mismatch(value, type, path);
    return value;
  }
  if (type.startsWith('map[')) {
    if (!(value instanceof Map)) throw mismatch(value, type, path);
    return new Map([...value].map(([key, item]) => [key, item === null ? '' : textOf(item, path)]));
  }
  if (!type.startsWith('[]')) return value;
  if (!Array.isArray(value)) throw mismatch(value, type, path);
  const items = value as readonly Value[];
  const of = type.slice(2);
  if (of === 'string') return items.map((item) => (item === null ? '' : textOf(item, path)));
  if (!of.startsWith('*')) return items;
  return items.map((item) => (item === null ? null : structOf(item, of.slice(1), path)));
}

function textOf(value: Value, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Integer) return String(value.value);
  if (typeof value === 'number') return floatText(value, 'g', -1);
  throw mismatch(value, 'string', path);
}

/** As encoding/json's UnmarshalTypeError. */
function mismatch(value: Value, type: string, path: string): MetadataError {
  const target = path === '' ? `value of type ${type}` : `struct field ${path} of type ${type}`;
  return new MetadataError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go ${target}`,
  );
}

function jsonKind(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || value instanceof Integer) return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

/**
 * Returns the description of a chart, with the checks of Helm.
 *
 * @throws {MetadataError}
 */
export function validMetadata(fields: ValueMap): ChartMetadata {
  const metadata = metadataOf(fields);
  const { name, version, type } = metadata;
  if (metadata.apiVersion === '') throw invalid('chart.metadata.apiVersion is required');
  if (name === '') throw invalid('chart.metadata.name is required');
  if (name !== baseName(name)) throw invalid(`chart.metadata.name ${quoted(name)} is invalid`);
  if (version === '') throw invalid('chart.metadata.version is required');
  if (!isVersion(version)) throw invalid(`chart.metadata.version ${quoted(version)} is invalid`);
  if (!['', 'application', 'library'].includes(type))
    throw invalid('chart.metadata.type must be application or library');
  return metadata;
}

function metadataOf(fields: ValueMap): ChartMetadata {
  const plain = (name: string): string => (fields.get(name) as string | undefined) ?? '';
  const clean = (name: string): string => sanitized(plain(name));
  const list = (name: string): string[] | undefined =>
    (fields.get(name) as readonly string[] | undefined)?.map(sanitized);
  return {
    name: clean('name'),
    home: clean('home'),
    sources: list('sources'),
    version: plain('version'),
    description: clean('description'),
    keywords: list('keywords'),
    maintainers: (fields.get('maintainers') as readonly (ValueMap | null)[] | undefined)?.map(maintainerOf),
    icon: clean('icon'),
    apiVersion: plain('apiVersion') === '' ? 'v1' : plain('apiVersion'),
    condition: clean('condition'),
    tags: clean('tags'),
    appVersion: clean('appVersion'),
    deprecated: fields.get('deprecated') === true,
    annotations: fields.get('annotations') as ReadonlyMap<string, string> | undefined,
    kubeVersion: clean('kubeVersion'),
    dependencies: dependenciesOf(fields.get('dependencies') as readonly (ValueMap | null)[] | undefined),
    type: plain('type'),
  };
}

function maintainerOf(fields: ValueMap | null): ChartMaintainer {
  if (fields === null) throw invalid('maintainers must not contain empty or null nodes');
  const clean = (name: string): string => sanitized((fields.get(name) as string | undefined) ?? '');
  return { name: clean('name'), email: clean('email'), url: clean('url') };
}

function dependenciesOf(items: readonly (ValueMap | null)[] | undefined): ChartDependency[] | undefined {
  const keys = new Set<string>();
  return items?.map((fields) => {
    const dependency = dependencyOf(fields);
    const key = dependency.alias === '' ? dependency.name : dependency.alias;
    if (keys.has(key)) throw invalid(`more than one dependency with name or alias ${quoted(key)}`);
    keys.add(key);
    return dependency;
  });
}

function dependencyOf(fields: ValueMap | null): ChartDependency {
  if (fields === null) throw invalid('dependencies must not contain empty or null nodes');
  const plain = (name: string): string => (fields.get(name) as string | undefined) ?? '';
  const name = sanitized(plain('name'));
  const alias = plain('alias');
  if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias))
    throw invalid(`dependency ${quoted(name)} has disallowed characters in the alias`);
  return {
    name,
    chart: name,
    version: sanitized(plain('version')),
    repository: sanitized(plain('repository')),
    condition: sanitized(plain('condition')),
    tags: ((fields.get('tags') as readonly string[] | undefined) ?? []).map(sanitized),
    alias,
    isEnabled: fields.get('enabled') === true,
    importValues: (fields.get('import-values') as readonly Value[] | undefined) ?? [],
  };
}

function invalid(message: string): MetadataError {
  return new MetadataError(`validation: ${message}`);
}

/** As filepath.Base. */
function baseName(text: string): string {
  const trimmed = text.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}

/** As unicode.IsSpace and unicode.IsPrint. */
function sanitized(text: string): string {
  return text.replaceAll(/[\t\n\v\f\r\u0085\p{Z}]/gu, ' ').replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
}
