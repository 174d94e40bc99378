import {
  FunctionError,
  goFunction,
  quoted,
  TypedMap,
  type GoFunction,
  type Value,
  type ValueMap,
} from '../../gotemplate/index.ts';
import { writeYaml } from '../yaml/write.ts';

/** Returns a map of Helm's type for values, which has methods: `.Values.AsMap`. As chartutil.Values. */
export function valuesMap(entries: ValueMap): TypedMap {
  const values: TypedMap = new TypedMap('chartutil.Values', entries, 'interface {}', {
    methods: new Map<string, GoFunction>([
      ['AsMap', goFunction(' -> dict', () => entries)],
      ['YAML', goFunction(' -> string', () => writeYaml(values))],
      ['Table', goFunction('string -> chartutil.Values', ([path]) => tableAt(values, path as string))],
      ['PathValue', goFunction('string -> any', ([path]) => valueAt(values, path as string))],
      // Templates have no value of this type, so a call always fails.
      ['Encode', goFunction('io.Writer -> any', () => null)],
    ]),
  });
  return values;
}

function tableAt(values: TypedMap, path: string): TypedMap {
  let table = values;
  for (const key of path.split('.')) {
    const inner = table.entries.get(key);
    if (inner instanceof Map) table = valuesMap(inner);
    else if (inner instanceof TypedMap && inner.type === values.type) table = inner;
    else throw new FunctionError(`${quoted(key)} is not a table`);
  }
  return table;
}

function valueAt(values: TypedMap, path: string): Value {
  if (path === '') throw new FunctionError('YAML path cannot be empty');
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  const noValue = new FunctionError(`${quoted(key)} is not a value`);
  let table: ValueMap;
  try {
    table = keys.length === 0 ? values.entries : tableAt(values, keys.join('.')).entries;
  } catch (error) {
    throw error instanceof FunctionError ? noValue : error;
  }
  const value = table.get(key);
  // A table of another type than a plain map is a value.
  if (value === undefined || value instanceof Map) throw noValue;
  return value;
}
