import { isIdentifier } from './literals.ts';

/** Words that are no names of variables in a module. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    // built in, and confusing where they are something else
    'Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect RegExp Set String ' +
    'Symbol console exports globalThis module process require'
  ).split(' '),
);

/** Texts that are in use. A fork has those of its origin too, but adds only to its own. */
class Taken {
  readonly #texts: Set<string>;
  readonly #origin: Taken | undefined;
  /** By text, the least number that may be free behind it. */
  readonly #numbers = new Map<string, number>();

  constructor(texts: Iterable<string> = [], origin?: Taken) {
    this.#texts = new Set(texts);
    this.#origin = origin;
  }

  has(text: string): boolean {
    return this.#texts.has(text) || (this.#origin?.has(text) ?? false);
  }

  add(text: string): void {
    this.#texts.add(text);
  }

  /** The first number from 2 that makes the text free when it is appended. */
  freeNumber(text: string): number {
    let number = this.#numbers.get(text) ?? 2;
    while (this.has(`${text}${number}`)) number++;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Gives out names of variables, each once. */
export class VariableNames {
  readonly #taken: Taken;

  constructor(taken = new Taken(reserved)) {
    this.#taken = taken;
  }

  /** Names that are free here as well. What the fork takes stays free here. */
  fork(): VariableNames {
    return new VariableNames(new Taken([], this.#taken));
  }

  /** Takes names that have a meaning in the module already. */
  reserve(names: Iterable<string>): void {
    for (const name of names) this.#taken.add(name);
  }

  /** The first of the wishes, as a variable is written, that is free; the last of them with a number, where none is. */
  take(wishes: readonly [string, ...string[]]): string {
    const names = wishes.map(camelCase).filter(isIdentifier);
    const last = names.at(-1) ?? 'object';
    const free = [...names, last].find((wish) => !this.#taken.has(wish));
    const name = free ?? `${last}${this.#taken.freeNumber(last)}`;
    this.#taken.add(name);
    return name;
  }
}

/** Gives out the ids of constructs in one scope, each once. */
export class Ids {
  readonly #taken: Taken;

  constructor(taken = new Taken()) {
    this.#taken = taken;
  }

  /** Ids that are free here as well. What the fork takes stays free here. */
  fork(): Ids {
    return new Ids(new Taken([], this.#taken));
  }

  take(wishes: readonly [string, ...string[]]): string {
    const last = wishes.at(-1) ?? '';
    const free = wishes.find((wish) => wish !== '' && !this.#taken.has(treeId(wish)));
    const id = free ?? `${last}-${this.#taken.freeNumber(`${treeId(last)}-`)}`;
    this.#taken.add(treeId(id));
    return id;
  }
}

/** as constructs: a slash separates ids in paths, so it is written otherwise */
function treeId(id: string): string {
  return id.replaceAll('/', '--');
}

/** `placement-aws` and `Placement.aws` become `placementAws`. */
export function camelCase(text: string): string {
  const words = text
    .normalize('NFKD')
    .split(/[^A-Za-z0-9$]+/)
    .filter((word) => word !== '');
  const name = words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join('');
  // digits after a digit would run together
  return name;
}

/** `ClusterRoleBinding` becomes `cluster-role-binding`. */
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
