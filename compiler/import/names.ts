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

/** Gives out names of variables, each once. */
export class VariableNames {
  readonly #taken: Set<string>;

  constructor(taken: ReadonlySet<string> = reserved) {
    this.#taken = new Set(taken);
  }

  /** The same, whatever this one gives out from now on. */
  fork(): VariableNames {
    return new VariableNames(this.#taken);
  }

  /** Takes names that have a meaning in the module already. */
  reserve(names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  /** The first of the wishes, as a variable is written, that is free; the last of them with a number, where none is. */
  take(wishes: readonly [string, ...string[]]): string {
    const names = wishes.map(camelCase).filter(isIdentifier);
    const last = names.at(-1) ?? 'object';
    let name = names.find((wish) => !this.#taken.has(wish)) ?? last;
    for (let n = 2; this.#taken.has(name); n++) name = `${last}${n}`;
    this.#taken.add(name);
    return name;
  }
}

/** Gives out the ids of constructs in one scope, each once. */
export class Ids {
  readonly #taken: Set<string>;

  constructor(taken: ReadonlySet<string> = new Set()) {
    this.#taken = new Set(taken);
  }

  /** The same, whatever this one gives out from now on. */
  fork(): Ids {
    return new Ids(this.#taken);
  }

  take(wishes: readonly [string, ...string[]]): string {
    const last = wishes.at(-1) ?? '';
    let id = wishes.find((wish) => wish !== '' && !this.#taken.has(treeId(wish))) ?? last;
    for (let n = 2; id === '' || this.#taken.has(treeId(id)); n++) id = `${last}-${n}`;
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
