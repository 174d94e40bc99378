import {
  FunctionError,
  goFunction,
  textOf,
  TypedList,
  TypedMap,
  type Value,
} from '../../gotemplate/index.ts';
import type { ChartFile } from '../chart.ts';
import { textList } from '../functions/conversion.ts';
import { writeYaml } from '../yaml/write.ts';
import { fileGlob } from './file-glob.ts';

/** `.Files`: the files of a chart that are no templates, values or subcharts. As the type `files` of Helm's engine. */
export function filesValue(files: readonly ChartFile[]): TypedMap {
  const byName = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const bytesOf = (name: string): Uint8Array => byName.get(name) ?? new Uint8Array();
  const methods = {
    Get: goFunction('string -> string', ([name]) => textOf(bytesOf(name as string))),
    GetBytes: goFunction('string -> []uint8', ([name]) => byteList(bytesOf(name as string))),
    Glob: goFunction('string -> engine.files', ([pattern], call) => {
      call.spend(50 * (pattern as string).length + files.length);
      const matches = fileGlob(pattern as string);
      return filesValue(files.filter(({ name }) => matches(name)));
    }),
    Lines: goFunction('string -> []string', ([name]) => textList(linesOf(byName.get(name as string)))),
    AsConfig: goFunction(' -> string', () => asYaml(files, (bytes) => textOf(bytes))),
    AsSecrets: goFunction(' -> string', () =>
      asYaml(files, (bytes) => Buffer.from(bytes).toString('base64')),
    ),
  };
  const entries = new Map<string, Value>(files.map(({ name, bytes }) => [name, byteList(bytes)]));
  return new TypedMap('engine.files', entries, '[]uint8', { methods: new Map(Object.entries(methods)) });
}

function byteList(bytes: Uint8Array): TypedList {
  return new TypedList('[]uint8', bytes);
}

function linesOf(bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined) return [];
  // Helm looks at the last byte.
  if (bytes.length === 0) throw new FunctionError('runtime error: index out of range [-1]');
  return textOf(bytes).replace(/\n$/, '').split('\n');
}

/** As toYaml of a map by file names without folders; files of one name replace each other. */
function asYaml(files: readonly ChartFile[], text: (bytes: Uint8Array) => string): string {
  const entries = new Map<string, Value>(
    files.map(({ name, bytes }) => [name.slice(name.lastIndexOf('/') + 1), text(bytes)]),
  );
  return writeYaml(entries).replace(/\n$/, '');
}
