import { option } from './wrong-use.ts';
import { UserError } from '../workspace/user-error.ts';

/** The internal data of yargs about the options of the command. */
interface DeclaredOptions {
  /** Every name, without aliases. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly alias: Readonly<Record<string, readonly string[]>>;
  readonly array: readonly string[];
  readonly boolean: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

/**
 * Without a value, `render --diff` compares with the configuration that the cluster uses, and `verify --hub` asks the only hub. In other
 * commands, `--hub` may be given several times, and needs a value each time.
 */
const withoutValue: ReadonlySet<string> = new Set(['diff', 'hub']);

/**
 * Finds options without a value, and options with a single value that were given several times. yargs uses the
 * default or nothing for the former, and a list or, for numbers, the sum for the latter.
 *
 * @returns a check of yargs
 * @throws UserError from the check
 */
export function checkValues(commandLine: readonly string[]): (given: object, options: object) => true {
  return (_, options) => {
    // According to the types of yargs, this parameter contains the aliases.
    const declared = options as DeclaredOptions;
    const repeated = new Set<string>();
    for (const { name, value } of optionsIn(commandLine, declared)) {
      if (declared.boolean.includes(name)) checkFlag(name, value);
      else if (value === undefined ? needsValue(name, declared) : value === '') throw missing(name, declared);
      else if (repeated.has(name) && !declared.array.includes(name))
        throw new UserError(`${option(name)} is used several times`, 'use it once');
      repeated.add(name);
    }
    return true;
  };
}

function needsValue(name: string, { array }: DeclaredOptions): boolean {
  return !withoutValue.has(name) || array.includes(name);
}

function checkFlag(name: string, value: string | undefined): void {
  if (value === undefined || value === 'true' || value === 'false') return;
  throw new UserError(`${option(name)} cannot be ${JSON.stringify(value)}`, 'it takes no value');
}

function missing(name: string, { choices }: DeclaredOptions): UserError {
  const validValues = choices[name];
  return new UserError(
    `${option(name)} needs a value`,
    validValues === undefined ? undefined : `one of: ${validValues.join(', ')}`,
  );
}

/** `--output`, `-o`, and either of them with a value behind `=`. */
const optionPattern = /^(?:--([^=-][^=]*)|-([A-Za-z]))(?:=(.*))?$/s;

function* optionsIn(
  commandLine: readonly string[],
  declared: DeclaredOptions,
): Generator<{ name: string; value: string | undefined }> {
  for (const [index, word] of commandLine.entries()) {
    const [, long, short = '', value] = optionPattern.exec(word) ?? [];
    const name = nameOf(long ?? short, declared);
    if (name === undefined) continue;
    const next = commandLine[index + 1];
    const takesNext = value === undefined && !declared.boolean.includes(name) && isValue(next);
    yield { name, value: takesNext ? next : value };
  }
}

/** Returns the name under which an option is declared. It may have other names, such as `-o` and `hubVersion`. */
function nameOf(optionName: string, { key, alias }: DeclaredOptions): string | undefined {
  if (Object.hasOwn(key, optionName)) return optionName;
  return Object.keys(key).find((name) => alias[name]?.includes(optionName));
}

/** As in yargs: a word that begins with a dash is the next option, except for `-` and negative numbers. */
function isValue(word: string | undefined): boolean {
  return word !== undefined && !/^-[^\d.]/.test(word);
}
