import type { Expression, ListNode, PipeNode, Statement, Tree } from '../../gotemplate/index.ts';

/** A path from the data of a template, such as `['Values', 'image']`; undefined if it cannot be read from the template. */
type DataPath = readonly string[] | undefined;

/** What `.` and variables are at a place in a template. */
interface Scope {
  readonly dot: DataPath;
  readonly variables: ReadonlyMap<string, DataPath>;
}

/** How many templates include each other before the search ends. */
const deepest = 20;

/**
 * Returns the paths that an action reads, also in the templates that it includes, such as `Values.image.tag` and `Release.Name`. The
 * template decides, and not the execution: an `else` counts as well.
 *
 * @param position - of the action
 */
export function pathsOfAction(
  tree: Tree,
  position: number,
  lookup: (name: string) => Tree | undefined,
): readonly string[] {
  const reader = new PathReader(lookup);
  reader.find(tree.root, position, { dot: [], variables: new Map([['$', []]]) });
  return [...reader.paths];
}

class PathReader {
  readonly paths = new Set<string>();
  readonly #lookup: (name: string) => Tree | undefined;
  #depth = 0;

  constructor(lookup: (name: string) => Tree | undefined) {
    this.#lookup = lookup;
  }

  /** Reads the action at a position, and returns whether it is in the list. */
  find(list: ListNode, position: number, scope: Scope): boolean {
    const variables = new Map(scope.variables);
    for (const node of list.nodes) {
      const inner = { dot: scope.dot, variables };
      if (node.position === position) {
        this.#readStatement(node, inner);
        return true;
      }
      if (node.kind === 'action') declare(node.pipe, inner, variables);
      else if ('list' in node) {
        const branch = this.#branchScope(node, inner);
        if (this.find(node.list, position, branch)) return true;
        if (node.elseList !== undefined && this.find(node.elseList, position, inner)) return true;
      }
    }
    return false;
  }

  #branchScope(node: Extract<Statement, { readonly list: ListNode }>, scope: Scope): Scope {
    const variables = new Map(scope.variables);
    const path = pipePath(node.pipe, scope);
    if (node.kind === 'range') {
      // A key comes from the map, too.
      for (const { names } of node.pipe.variables) variables.set(names[0] ?? '', path);
    } else declare(node.pipe, scope, variables);
    return { dot: node.kind === 'if' ? scope.dot : path, variables };
  }

  #readStatement(node: Statement, scope: Scope): void {
    if (node.kind === 'action') this.#readPipe(node.pipe, scope);
    else if (node.kind === 'template') {
      if (node.pipe !== undefined) this.#readPipe(node.pipe, scope);
      this.#readTemplate(node.name, node.pipe && pipePath(node.pipe, scope));
    } else if ('list' in node) {
      this.#readPipe(node.pipe, scope);
      this.#readList(node.list, this.#branchScope(node, scope));
      if (node.elseList !== undefined) this.#readList(node.elseList, scope);
    }
  }

  #readList({ nodes }: ListNode, scope: Scope): void {
    const variables = new Map(scope.variables);
    for (const node of nodes) {
      this.#readStatement(node, { dot: scope.dot, variables });
      if (node.kind === 'action') declare(node.pipe, { dot: scope.dot, variables }, variables);
    }
  }

  #readPipe(pipe: PipeNode, scope: Scope): void {
    for (const { args } of pipe.commands) {
      const [first, name, data] = args;
      if (first?.kind === 'identifier' && first.name === 'include' && name?.kind === 'string')
        this.#readTemplate(name.text, data && expressionPath(data, scope));
      for (const arg of args) this.#readExpression(arg, scope);
    }
  }

  #readExpression(node: Expression, scope: Scope): void {
    if (node.kind === 'pipe') this.#readPipe(node, scope);
    else if (node.kind === 'chain') this.#readExpression(node.node, scope);
    const path = expressionPath(node, scope);
    if (path !== undefined && path.length > 1) this.paths.add(path.join('.'));
  }

  #readTemplate(name: string, dot: DataPath): void {
    const tree = this.#lookup(name);
    if (tree === undefined || this.#depth >= deepest) return;
    this.#depth += 1;
    this.#readList(tree.root, { dot, variables: new Map([['$', dot]]) });
    this.#depth -= 1;
  }
}

function declare(pipe: PipeNode, scope: Scope, variables: Map<string, DataPath>): void {
  const path = pipePath(pipe, scope);
  for (const { names } of pipe.variables) variables.set(names[0] ?? '', path);
}

/** The path of a pipeline: `.Values.a`, or the last path in `.Values.a | default …` and `default 1 .Values.a`. */
function pipePath({ commands }: PipeNode, scope: Scope): DataPath {
  const paths = commands
    .flatMap(({ args }) => args)
    .map((arg) => expressionPath(arg, scope))
    .filter((path) => path !== undefined);
  return paths.length === 1 ? paths[0] : undefined;
}

function expressionPath(node: Expression, scope: Scope): DataPath {
  switch (node.kind) {
    case 'dot':
      return scope.dot;
    case 'field':
      return scope.dot && [...scope.dot, ...node.names];
    case 'variable': {
      const [name = '', ...fields] = node.names;
      const path = scope.variables.get(name);
      return path && [...path, ...fields];
    }
    case 'pipe':
      return pipePath(node, scope);
    case 'chain': {
      const path = expressionPath(node.node, scope);
      return path && [...path, ...node.names];
    }
    case 'bool':
    case 'identifier':
    case 'nil':
    case 'number':
    case 'string':
      break;
  }
  return undefined;
}
