import type { FieldOrigin, ValuePath } from '../../../engines/charts/index.ts';
import { winningLayer, type AgentValues } from '../agent-values/agent-values.ts';
import type { LoadedSource, ReadValue } from './source-renderer.ts';
import { sourceLayer } from './source-values.ts';

/** Returns the values that decide what an action writes; if none is known to, those that it can read. */
export function readValues(
  { file, paths, values: deciding }: FieldOrigin,
  source: LoadedSource,
  values: AgentValues,
): readonly ReadValue[] {
  const isOfValues = (path: string): boolean =>
    source.source.kind === 'template' || path.startsWith('Values.');
  // Values by which the action only chooses among others are left out if it is known which ones count.
  const named = deciding.length === 0 ? paths : paths.filter((path) => !isOfValues(path));
  return [
    ...deciding.map((path) => readValue(path, source, values)),
    ...named.map((path) =>
      isOfValues(path) ? readValue(keysOf(path, file, source), source, values) : { path },
    ),
  ];
}

/** Returns the keys of a path that a template names, such as `Values.image.tag`. */
function keysOf(path: string, file: string, { source: { kind } }: LoadedSource): ValuePath {
  const keys = path.split('.');
  if (kind === 'template') return keys;
  const own = keys.slice(1);
  // A subchart sees its part of the values, and the global ones.
  const charts = [...file.matchAll(/(?:^|\/)charts\/([^/]+)\//g)].map(([, name = '']) => name);
  return own[0] === 'global' ? own : [...charts, ...own];
}

function readValue(path: ValuePath, loaded: LoadedSource, { layers }: AgentValues): ReadValue {
  const words = { path: pathWords(path) };
  // Lists are replaced as a whole.
  const position = path.findIndex((step) => typeof step === 'number');
  const keys = (position < 0 ? path : path.slice(0, position)).map(String);
  const layer = winningLayer(layers, keys)?.name;
  if (layer !== undefined) {
    const isOfSource = layer === sourceLayer;
    return { ...words, layer, ...(isOfSource && { writtenAt: { field: ['spec', 'values', ...path] } }) };
  }
  if (loaded.source.kind === 'template') return words;
  const writtenAt = loaded.placeOf?.(path);
  return { ...words, layer: 'values.yaml of the chart', ...(writtenAt && { writtenAt }) };
}

/** Returns `image.tag`, `list[0].name` or `labels["app.kubernetes.io/name"]`. */
function pathWords(path: ValuePath): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /[.[\]\s]/.test(step) ? `[${JSON.stringify(step)}]` : `.${step}`;
    })
    .join('')
    .replace(/^\./, '');
}
