import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';

/** A node of a diagram. Nodes are equal if and only if they are the same number. */
export type Node = number & { readonly brand?: 'node' };

/** One way through a diagram: the region of each variable on it. The others do not matter. */
export type Path = ReadonlyMap<number, number>;

/** Too many nodes: the question has too many different cases. */
export class DiagramTooLarge extends Error {}

const mostNodes = 2_000_000;

/**
 * Decision diagrams: functions from the regions of variables to a number. A node asks for the region of one variable and has one
 * child for each. Variables are asked in the order of their numbers, and equal nodes exist once, so that two functions are equal if
 * and only if their nodes are.
 */
export class Diagrams {
  readonly #sizes: readonly number[];
  readonly #variables: number[] = [];
  readonly #children: (readonly Node[])[] = [];
  readonly #values: number[] = [];
  readonly #nodes = new Map<string, Node>();
  readonly #terminals = new Map<number, Node>();
  readonly #operations = new Map<string, Map<number, Node>>();
  readonly false: Node;
  readonly true: Node;

  /** @param sizes - the number of regions of each variable */
  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    this.false = this.constant(0);
    this.true = this.constant(1);
  }

  /** Returns the function with the same value everywhere. */
  constant(value: number): Node {
    return getOrInsertComputed(this.#terminals, value, () => this.#add(Infinity, [], value));
  }

  /** Returns the function whose value is that of the child for the region of a variable. All children ask later variables. */
  node(variable: number, children: readonly Node[]): Node {
    const [first] = children;
    if (first !== undefined && children.every((child) => child === first)) return first;
    return getOrInsertComputed(this.#nodes, `${variable}:${children.join()}`, () =>
      this.#add(variable, children, 0),
    );
  }

  /** Returns whether the variable is in one of the regions that the test accepts. */
  where(variable: number, accepts: (region: number) => boolean): Node {
    const regions = Array.from({ length: this.#sizes[variable] ?? 0 }, (_, region) => region);
    return this.node(
      variable,
      regions.map((region) => (accepts(region) ? this.true : this.false)),
    );
  }

  and(...nodes: readonly Node[]): Node {
    return nodes.reduce((a, b) => this.#binary('and', a, b, (x, y) => x & y, 0), this.true);
  }

  or(...nodes: readonly Node[]): Node {
    return nodes.reduce((a, b) => this.#binary('or', a, b, (x, y) => x | y, 1), this.false);
  }

  not(node: Node): Node {
    return this.#binary('not', node, this.true, (x) => 1 - x);
  }

  /** Returns the function with the combined values of two functions. */
  combine(a: Node, b: Node, operation: (a: number, b: number) => number): Node {
    return this.#apply(a, b, operation, new Map());
  }

  /** Returns the function with converted values. */
  map(node: Node, operation: (value: number) => number): Node {
    return this.combine(node, this.true, operation);
  }

  /** Returns the values that the function has somewhere. */
  values(node: Node): ReadonlySet<number> {
    const values = new Set<number>();
    for (const each of this.#below(node)) if (this.isConstant(each)) values.add(this.valueOf(each));
    return values;
  }

  isConstant(node: Node): boolean {
    return this.#variables[node] === Infinity;
  }

  /** Returns the value of a constant. */
  valueOf(node: Node): number {
    return this.#values[node] ?? 0;
  }

  /** Returns the value for one region of each variable. */
  evaluate(node: Node, regionOf: (variable: number) => number): number {
    let at = node;
    while (!this.isConstant(at)) at = this.#child(at, regionOf(this.#variables[at] ?? 0));
    return this.valueOf(at);
  }

  /** Returns the variables that the function depends on, in order. */
  variablesOf(node: Node): readonly number[] {
    const variables = new Set<number>();
    for (const each of this.#below(node))
      if (!this.isConstant(each)) variables.add(this.#variables[each] ?? 0);
    return [...variables].sort((a, b) => a - b);
  }

  /**
   * Returns the cheapest way to a value that a test accepts. Undefined if there is none within the limit.
   *
   * @param cost - the cost of a region of a variable; `Infinity` for one that must not be taken
   */
  cheapest(
    node: Node,
    accepts: (value: number) => boolean,
    cost: (variable: number, region: number) => number,
    limit = Infinity,
  ): { readonly cost: number; readonly path: Path } | undefined {
    const best = new Map<Node, { cost: number; region: number }>();
    const costOf = (at: Node): number => {
      if (this.isConstant(at)) return accepts(this.valueOf(at)) ? 0 : Infinity;
      return getOrInsertComputed(best, at, () => this.#cheapestChild(at, costOf, cost)).cost;
    };
    const total = costOf(node);
    if (total === Infinity || total > limit) return undefined;
    const path = new Map<number, number>();
    for (let at = node; !this.isConstant(at);) {
      const region = best.get(at)?.region ?? 0;
      path.set(this.#variables[at] ?? 0, region);
      at = this.#child(at, region);
    }
    return { cost: total, path };
  }

  #cheapestChild(
    node: Node,
    costOf: (node: Node) => number,
    cost: (variable: number, region: number) => number,
  ): { cost: number; region: number } {
    const variable = this.#variables[node] ?? 0;
    let cheapest = { cost: Infinity, region: 0 };
    for (const [region, child] of (this.#children[node] ?? []).entries()) {
      const step = cost(variable, region);
      if (step >= cheapest.cost) continue;
      const total = step + costOf(child);
      if (total < cheapest.cost) cheapest = { cost: total, region };
    }
    return cheapest;
  }

  #binary(
    name: string,
    a: Node,
    b: Node,
    operation: (a: number, b: number) => number,
    absorbing?: number,
  ): Node {
    const memory = getOrInsertComputed(this.#operations, name, () => new Map<number, Node>());
    return this.#apply(a, b, operation, memory, absorbing);
  }

  /** @param absorbing - the value of the result where either value is this one */
  #apply(
    a: Node,
    b: Node,
    operation: (a: number, b: number) => number,
    memory: Map<number, Node>,
    absorbing?: number,
  ): Node {
    const isFirst = this.isConstant(a);
    const isSecond = this.isConstant(b);
    if (isFirst && isSecond) return this.constant(operation(this.valueOf(a), this.valueOf(b)));
    if (absorbing !== undefined) {
      if (isFirst && this.valueOf(a) === absorbing) return a;
      if (isSecond && this.valueOf(b) === absorbing) return b;
    }
    return getOrInsertComputed(memory, a * mostNodes + b, () => {
      const first = this.#variables[a] ?? Infinity;
      const second = this.#variables[b] ?? Infinity;
      const variable = Math.min(first, second);
      const children = Array.from({ length: this.#sizes[variable] ?? 0 }, (_, region) =>
        this.#apply(
          first === variable ? this.#child(a, region) : a,
          second === variable ? this.#child(b, region) : b,
          operation,
          memory,
          absorbing,
        ),
      );
      return this.node(variable, children);
    });
  }

  #child(node: Node, region: number): Node {
    const child = this.#children[node]?.[region];
    if (child === undefined) throw new RangeError(`node ${node} has no region ${region}`);
    return child;
  }

  #below(node: Node): ReadonlySet<Node> {
    const reached = new Set([node]);
    for (const each of reached) for (const child of this.#children[each] ?? []) reached.add(child);
    return reached;
  }

  #add(variable: number, children: readonly Node[], value: number): Node {
    if (this.#variables.length >= mostNodes) throw new DiagramTooLarge();
    this.#variables.push(variable);
    this.#children.push(children);
    this.#values.push(value);
    return this.#variables.length - 1;
  }
}
