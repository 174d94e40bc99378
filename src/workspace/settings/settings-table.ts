import { settingsSchema } from './settings-schema.ts';

interface Key {
  readonly description?: string;
  readonly default?: string;
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Key>>;
  readonly additionalProperties?: boolean | Key;
  readonly items?: Key;
}

/** Returns the Markdown table of all keys of fleetwright.yaml, in the order of the schema. */
export function settingsTable(): string {
  const rows = rowsOf(settingsSchema as Key, '');
  return ['| key | meaning | default |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function rowsOf({ properties = {} }: Key, above: string): string[] {
  return Object.entries(properties).flatMap(([name, key]) => {
    const at = `${above}${name}`;
    return [
      row(at, key),
      ...rowsOf(key, `${at}.`),
      ...namedRows(key, at),
      ...rowsOf(key.items ?? {}, `${at}[].`),
    ];
  });
}

/** The keys below a name that the user chooses. */
function namedRows({ additionalProperties }: Key, at: string): string[] {
  return typeof additionalProperties === 'object' ? rowsOf(additionalProperties, `${at}.NAME.`) : [];
}

function row(at: string, key: Key): string {
  const values = key.enum?.flatMap((value) => (value === null ? [] : [`\`${value}\``]));
  const meaning = [key.description ?? '', ...(values === undefined ? [] : [`One of ${values.join(', ')}.`])];
  const byDefault = key.default === undefined ? '' : `\`${key.default}\``;
  return `| \`${at}\` | ${meaning.join(' ')} | ${byDefault} |`;
}
