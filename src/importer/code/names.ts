import { isIdentifier } from './literals.ts';

/** Words that cannot be names of variables in a module. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    // built-in names that would confuse readers if they had another meaning
    'Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String ' +
    'Symbol console exports globalThis module process require'
  ).split(' '),
);

/** Texts that are in use. A fork also has those of its origin, but adds only to itself. */
class UsedTexts {
  readonly #texts: Set<string>;
  readonly #origin: UsedTexts | undefined;
  /** The smallest possibly free number to append, by text. */
  readonly #numbers = new Map<string, number>();

  constructor(texts: Iterable<string> = [], origin?: UsedTexts) {
    this.#texts = new Set(texts);
    this.#origin = origin;
  }

  has(text: string): boolean {
    return this.#texts.has(text) || (this.#origin?.has(text) ?? false);
  }

  add(text: string): void {
    this.#texts.add(text);
  }

  /** Returns the first number from 2 that makes the text unique when appended. */
  freeNumber(text: string): number {
    let number = this.#numbers.get(text) ?? 2;
    while (this.has(`${text}${number}`)) number++;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Assigns unique names of variables. */
export class VariableNames {
  readonly #used: UsedTexts;

  constructor(used = new UsedTexts(reserved)) {
    this.#used = used;
  }

  /** Returns a copy with the same free names. Names that the fork takes stay free in the original. */
  fork(): VariableNames {
    return new VariableNames(new UsedTexts([], this.#used));
  }

  /** Reserves names that already have a meaning in the module. */
  reserve(names: Iterable<string>): void {
    for (const name of names) this.#used.add(name);
  }

  /** Returns the first free candidate, as the name of a variable. If none is free, returns the last one with a number. */
  take(candidates: readonly [string, ...string[]]): string {
    const names = candidates.map(camelCase).filter(isIdentifier);
    const last = names.at(-1) ?? 'object';
    const free = [...names, last].find((candidate) => !this.#used.has(candidate));
    const name = free ?? `${last}${this.#used.freeNumber(last)}`;
    this.#used.add(name);
    return name;
  }
}

/** Assigns unique ids of constructs in one scope. */
export class Ids {
  readonly #used: UsedTexts;

  constructor(used = new UsedTexts()) {
    this.#used = used;
  }

  /** Returns a copy with the same free ids. Ids that the fork takes stay free in the original. */
  fork(): Ids {
    return new Ids(new UsedTexts([], this.#used));
  }

  take(candidates: readonly [string, ...string[]]): string {
    const last = candidates.at(-1) ?? '';
    const free = candidates.find((candidate) => candidate !== '' && !this.#used.has(treeId(candidate)));
    const id = free ?? `${last}-${this.#used.freeNumber(`${treeId(last)}-`)}`;
    this.#used.add(treeId(id));
    return id;
  }
}

/** as constructs: a slash separates ids in paths, so it is replaced */
function treeId(id: string): string {
  return id.replaceAll('/', '--');
}

/** Converts `placement-aws` and `Placement.aws` to `placementAws`. */
export function camelCase(text: string): string {
  const words = text
    .normalize('NFKD')
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== '');
  const name = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  // adjacent digits would run together
  return name;
}

/** Converts `ClusterRoleBinding` to `cluster-role-binding`. */
export function kebab(kind: string): string {
  return kind
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
