import { getOrInsertComputed } from '../collections/get-or-insert.ts';
import type { GoJsonValue } from '../json/go-json.ts';
import { appsV1Structs } from './apps-v1-structs.ts';
import {
  builtIn,
  isNil,
  map,
  notConvertible,
  pointer,
  slice,
  struct,
  type Field,
  type GoType,
} from './go-type.ts';
import { workV1Structs } from './work-v1-structs.ts';
import type { KubernetesMinor } from './minor.ts';

/**
 * Returns an object after Go reads it into one of its structs and writes it out again (`runtime.DefaultUnstructuredConverter`,
 * both ways): unknown fields are removed, zero values are added or removed according to their tags, and quantities are formatted
 * again. Undefined if Go cannot convert it, for example a string in place of a number.
 *
 * @param minor affects workloads only; the other structs have not changed
 */
export function convertTyped(
  struct: string,
  value: GoJsonValue,
  minor: KubernetesMinor = 35,
): GoJsonValue | undefined {
  try {
    return typesOf(minor).named(struct).convert(value);
  } catch (error) {
    if (error === notConvertible) return undefined;
    throw error;
  }
}

/** Returns the field at which Go fails to convert a value: the outermost field that causes the failure. */
export function conversionFault(
  struct: string,
  value: GoJsonValue,
  minor: KubernetesMinor = 35,
): readonly (string | number)[] | undefined {
  return faultIn(typesOf(minor).named(struct), value);
}

function faultIn(type: GoType, value: GoJsonValue): readonly (string | number)[] | undefined {
  try {
    type.convert(value);
    return undefined;
  } catch (error) {
    if (error !== notConvertible) throw error;
  }
  for (const { step, type: inner, value: part } of type.parts?.(value) ?? []) {
    const path = isNil(part) ? undefined : faultIn(inner, part);
    if (path !== undefined) return [step, ...path];
  }
  return [];
}

const declarations = new Map(
  [appsV1Structs, workV1Structs]
    .flatMap((structs) => structs.trim().replace(/\n +/g, ' ').split('\n'))
    .map((line): [string, string] => {
      const [name = '', declaration = ''] = line.split(' = ');
      return [name, declaration];
    }),
);
/** The types of one minor release of Kubernetes, parsed on demand. */
class GoTypes {
  readonly #minor: KubernetesMinor;
  readonly #types = new Map<string, GoType>(Object.entries(builtIn));

  constructor(minor: KubernetesMinor) {
    this.#minor = minor;
  }

  named(name: string): GoType {
    return getOrInsertComputed(this.#types, name, () => this.#parse(name));
  }

  #parse(text: string): GoType {
    if (text.startsWith('*')) return pointer(this.named(text.slice(1)));
    if (text.startsWith('[]')) return slice(this.named(text.slice(2)));
    if (text.startsWith('{}')) return map(this.named(text.slice(2)));
    const declaration = declarations.get(text);
    if (declaration === undefined) throw new Error(`no Go struct ${text}`);
    return struct(() => this.#fields(declaration));
  }

  #fields(declaration: string): Field[] {
    return declaration.split(' ').flatMap((part) => {
      if (part.startsWith('...')) return this.#fields(declarations.get(part.slice(3)) ?? '');
      const [, name = '', tags = '', type = '', since = '0'] =
        /^(\w+)(\?*):([^@]*)(?:@(\d+))?$/.exec(part) ?? [];
      if (Number(since) > this.#minor) return [];
      const omitZero = tags === '??' && this.#minor >= 34;
      return { name, type: this.named(type), omitEmpty: tags !== '', omitZero };
    });
  }
}

const types = new Map<KubernetesMinor, GoTypes>();

function typesOf(minor: KubernetesMinor): GoTypes {
  return getOrInsertComputed(types, minor, () => new GoTypes(minor));
}
