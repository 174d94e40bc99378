import { asJson, chartFunctions, readYaml, YamlError } from '../../../engines/charts/index.ts';
import {
  FunctionError,
  goFunction,
  Integer,
  listItems,
  mapEntries,
  type GoFunction,
  type Value,
} from '../../../engines/gotemplate/index.ts';

/** The functions that only Helm's templates have. */
const ofHelm: ReadonlySet<string> = new Set([
  'fromJson',
  'fromJsonArray',
  'fromToml',
  'fromYaml',
  'fromYamlArray',
  'include',
  'lookup',
  'mustToToml',
  'mustToYaml',
  'required',
  'toToml',
  'toYamlPretty',
  'tpl',
]);

/** The functions of an ApplicationSet's Go templates: those of sprig without access to the environment, and Argo CD's own. */
export const applicationSetFunctions: ReadonlyMap<string, GoFunction> = new Map([
  ...[...chartFunctions].filter(([name]) => !ofHelm.has(name)),
  ...Object.entries({
    normalize: goFunction('string -> string', ([name]) => normalizedName(name as string)),
    slugify: goFunction('...any -> string', (args) => slug(args)),
    fromJson: goFunction('string -> any', ([text], call) => {
      const read = chartFunctions.get('mustFromJson');
      try {
        return read?.call([text], call) ?? null;
      } catch (error) {
        if (error instanceof FunctionError) return null;
        throw error;
      }
    }),
    fromYaml: goFunction('string -> dict', ([text]) => {
      const value = yamlOf(text as string);
      if (value !== null && mapEntries(value) === undefined)
        throw new FunctionError('error unmarshaling JSON: the text is not a map');
      return value ?? new Map<string, Value>();
    }),
    fromYamlArray: goFunction('string -> list', ([text]) => {
      const value = yamlOf(text as string);
      if (value !== null && listItems(value) === undefined)
        throw new FunctionError('error unmarshaling JSON: the text is not a list');
      return value ?? [];
    }),
  }),
]);

function yamlOf(text: string): Value {
  try {
    return asJson(readYaml(text));
  } catch (error) {
    if (error instanceof YamlError)
      throw new FunctionError(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

/** Returns a text as a name of an object: lowercase, with `-` for invalid characters. As SanitizeName of Argo CD. */
export function normalizedName(name: string): string {
  const lower = Array.from(name, (character) => Array.from(character.toLowerCase())[0] ?? '').join('');
  return lower
    .replaceAll(/[^-a-z0-9.]/gu, '-')
    .slice(0, 253)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
}

/** The default maximum of `slugify`. */
const slugLength = 50;

/** As SlugifyName of Argo CD: `slugify [maximum length] [whole words] NAME`. */
function slug(args: readonly Value[]): string {
  const last = args.length === 0 ? '' : args.at(-1);
  const [length, wholeWords] = args.slice(0, -1);
  if (
    typeof last !== 'string' ||
    (length !== undefined && !(length instanceof Integer && length.type === 'int')) ||
    (wholeWords !== undefined && typeof wholeWords !== 'boolean')
  )
    throw new FunctionError('interface conversion: slugify takes an int, a bool and a string');
  const most = length instanceof Integer ? Number(length.value) : slugLength;
  const isWhole = wholeWords ?? true;
  let text = normalizedName(last);
  if (!isWhole && text.length >= most) {
    if (most < 0) throw new FunctionError('slice bounds out of range');
    text = text.slice(0, most);
  }
  text = text
    .replaceAll(/[^a-z0-9-_]/g, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '');
  if (most <= 0 || !isWhole || text.length <= most) return text;
  const dash = text.lastIndexOf('-', most);
  return text.slice(0, dash < 0 ? most : dash);
}
