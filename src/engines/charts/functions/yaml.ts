import {
  FunctionError,
  goFunction,
  listItems,
  listType,
  mapEntries,
  mapType,
  UnsupportedFunctionError,
  type GoFunction,
  type Value,
} from '../../gotemplate/index.ts';
import { asJson, readYaml } from '../yaml/read.ts';
import { writePrettyYaml, writeYaml } from '../yaml/write.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import { jsonKind } from './json.ts';

/** Helm's functions that read and write YAML. An error of writing is an empty text, one of reading a value. */
export const yamlFunctions: Readonly<Record<string, GoFunction>> = {
  toYaml: goFunction('any -> string', ([value]) => {
    try {
      return writeYaml(value).replace(/\n$/, '');
    } catch (error) {
      if (error instanceof UnsupportedFunctionError || !(error instanceof FunctionError)) throw error;
      return '';
    }
  }),
  toYamlPretty: goFunction('any -> string', ([value]) => writePrettyYaml(value).replace(/\n$/, '')),
  fromYaml: goFunction('string -> dict', ([text]) => {
    const read = readAs(text as string, mapType, (value) => mapEntries(value) !== undefined);
    if (typeof read === 'string') return new Map([['Error', read]]);
    return read.value ?? new Map<string, Value>();
  }),
  fromYamlArray: goFunction('string -> list', ([text]) => {
    const read = readAs(text as string, listType, (value) => listItems(value) !== undefined);
    return typeof read === 'string' ? [read] : (read.value ?? []);
  }),
};

function readAs(text: string, type: string, isType: (value: Value) => boolean): { value: Value } | string {
  let value: Value;
  try {
    value = asJson(readYaml(text));
  } catch (error) {
    if (error instanceof YamlError) return `error converting YAML to JSON: ${error.message}`;
    throw error;
  }
  if (value === null || isType(value)) return { value };
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`;
}
