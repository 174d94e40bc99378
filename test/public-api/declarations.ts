// Reads the declarations of the built package with TypeScript's own API: what its entries export, and which types the
// exported declarations mention.
import path from 'node:path';
import {
  API,
  SymbolFlags,
  type Checker,
  type Diagnostic,
  type Project,
  type Symbol as TypeScriptSymbol,
} from 'typescript/unstable/sync';
import type { Node } from 'typescript/unstable/ast';
import {
  isExpressionWithTypeArguments,
  isImportTypeNode,
  isTypeReferenceNode,
} from 'typescript/unstable/ast/is';

const root = path.resolve(import.meta.dirname, '../..');
const build = path.join(root, 'build');

/** The entries of the package, with their declarations. */
export const entries = {
  fleetwright: 'constructs/index.d.ts',
  'fleetwright/compiler': 'src/compiler/index.d.ts',
  'fleetwright/testing': 'src/testing/index.d.ts',
} as const;
export type Entry = keyof typeof entries;

/** An export of an entry. */
export interface Export {
  readonly name: string;
  /** Its doc comment. Empty if it has none. */
  readonly comment: string;
  /** The names of its tags, such as `example`. */
  readonly tags: readonly string[];
}

/** The declarations of the built package. */
export class Declarations {
  readonly #api = new API({ cwd: root });
  readonly #project: Project;
  readonly #checker: Checker;

  constructor() {
    const config = path.join(import.meta.dirname, 'tsconfig.json');
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`no project of ${config}`);
    this.#project = project;
    this.#checker = project.checker;
  }

  close(): void {
    this.#api.close();
  }

  /** Returns the errors in our declarations. Libraries have some. */
  errors(): readonly string[] {
    const { program } = this.#project;
    const files = program.getSourceFileNames().filter((name) => name.startsWith(build));
    const found: Diagnostic[] = files.flatMap((name) => [...program.getSemanticDiagnostics(name)]);
    return found.map(({ fileName, text }) => `${path.relative(root, fileName ?? '')}: ${text}`);
  }

  /** Returns the exports of our code in an entry, and not those of cdk8s. */
  exportsOf(entry: Entry): Export[] {
    return this.#symbolsOf(entry).flatMap(({ name, target }) =>
      this.#isOurs(target)
        ? [
            {
              name,
              comment: this.#checker.getDocumentationCommentOfSymbol(target),
              tags: this.#checker.getJsDocTagsOfSymbol(target).map((tag) => tag.name),
            },
          ]
        : [],
    );
  }

  /** Returns the types that users of an entry meet but cannot import, each with the export that leads to it. */
  unexported(entry: Entry): string[] {
    const exported = this.#symbolsOf(entry);
    const importable = new Set(exported.map(({ target }) => target.id));
    const seen = new Set<number>();
    const missing = new Set<string>();
    const waiting = exported.map(({ name, target }) => ({ symbol: target, from: name }));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { symbol, from } = next;
      if (seen.has(symbol.id)) continue;
      seen.add(symbol.id);
      for (const type of this.#mentionedBy(symbol)) {
        if (!importable.has(type.id)) missing.add(`${type.name}, used by ${from}`);
        waiting.push({ symbol: type, from });
      }
    }
    return [...missing].sort();
  }

  /** Returns our types that the declarations of a symbol mention, without private members. */
  #mentionedBy(symbol: TypeScriptSymbol): TypeScriptSymbol[] {
    const types: TypeScriptSymbol[] = [];
    const visit = (node: Node): undefined => {
      // An inlined import names a type that the file does not import, so it is mentioned too.
      const name = isTypeReferenceNode(node)
        ? node.typeName
        : isExpressionWithTypeArguments(node)
          ? node.expression
          : isImportTypeNode(node)
            ? node.qualifier
            : undefined;
      const type = name && this.#checker.getSymbolAtLocation(name);
      const target = type && this.#targetOf(type);
      if (target && (target.flags & SymbolFlags.TypeParameter) === 0 && this.#isOurs(target))
        types.push(target);
      node.forEachChild(visit);
      return undefined;
    };
    for (const handle of symbol.declarations) {
      const declaration = handle.path.startsWith(build) ? handle.resolve(this.#project) : undefined;
      if (declaration !== undefined) visit(declaration);
    }
    return types;
  }

  #symbolsOf(entry: Entry): { readonly name: string; readonly target: TypeScriptSymbol }[] {
    const file = this.#project.program.getSourceFile(path.join(build, entries[entry]));
    const module = file && this.#checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entries[entry]} is not built`);
    return this.#checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, target: this.#targetOf(symbol) }));
  }

  #targetOf(symbol: TypeScriptSymbol): TypeScriptSymbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOurs(symbol: TypeScriptSymbol): boolean {
    return symbol.declarations.some((declaration) => declaration.path.startsWith(build));
  }
}
