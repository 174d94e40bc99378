import { builtins } from './builtins/builtins.ts';
import { TemplateError, TemplateLimitError } from './error.ts';
import { defaultLimits, Meter, type Limits } from './execution/limits.ts';
import { Output, type OutputSegment } from './execution/output.ts';
import { State, type Run } from './execution/state.ts';
import { executeTree } from './execution/walk.ts';
import { quoted } from './quote.ts';
import { isEmptyTree, parseTemplate, type Tree } from './syntax/parser.ts';
import { parseCost } from './syntax/parse-cost.ts';
import { normalized } from './text.ts';
import type { Sample } from './sample.ts';
import type { Call, GoFunction, ReadListener, Value } from './value.ts';

export interface TemplateOptions {
  /** What happens where a map has no entry for a field. @default 'default' */
  readonly missingKey?: Run['missingKey'];
  /** @default defaultLimits */
  readonly limits?: Partial<Limits>;
  /** What functions that read the clock take as the time, in nanoseconds since 1970. @default - such a function fails */
  readonly now?: bigint | undefined;
  /** What functions return that are random or read a missing clock. @default - such a function fails */
  readonly sample?: Sample | undefined;
  /** Receives the steps of the execution, also if it fails. @default - nothing is reported */
  readonly onSteps?: ((steps: number) => void) | undefined;
  /** Whether to record which action wrote each part of the output. @default false */
  readonly traces?: boolean;
  /** Receives what each chain of fields reads. @default - nothing is reported */
  readonly onRead?: ReadListener | undefined;
}

/** The output of a template. */
export interface Rendered {
  readonly text: string;
  /** In the order of the output; empty without `traces`. */
  readonly segments: readonly OutputSegment[];
}

/**
 * Templates that can call each other by name, and the functions that they can use. As a text/template Template.
 *
 * @example
 * const set = new TemplateSet('greetings');
 * set.parse('greeting', 'Hello {{ .name }}');
 * set.execute('greeting', new Map([['name', 'hub']])).text; // Hello hub
 */
export class TemplateSet {
  /** Messages name the set. */
  readonly name: string;
  readonly #functions: ReadonlyMap<string, GoFunction>;
  /** What the set was cloned from. */
  readonly #base: TemplateSet | undefined;
  readonly #trees = new Map<string, Tree>();

  constructor(
    name: string,
    functions: ReadonlyMap<string, GoFunction> = new Map<string, GoFunction>(),
    base?: TemplateSet,
  ) {
    this.name = name;
    this.#functions = functions;
    this.#base = base;
  }

  /**
   * Parses a text and adds what it defines. A later definition replaces an earlier one, unless it is empty.
   *
   * @returns the tree of the text itself, also if it is empty and replaces none
   * @throws {TemplateError} for a syntax error
   */
  parse(name: string, text: string): Tree | undefined {
    const isFunction = (word: string): boolean => this.#functions.has(word) || builtins.has(word);
    const parsed = parseTemplate(name, text, isFunction);
    for (const [each, tree] of parsed)
      if (!this.has(each) || !isEmptyTree(tree.root)) this.#trees.set(each, tree);
    return parsed.get(name);
  }

  has(name: string): boolean {
    return this.tree(name) !== undefined;
  }

  /**
   * Executes a template of the set.
   *
   * @throws {TemplateError} with Go's message
   * @throws {TemplateLimitError} beyond a bound
   */
  execute(name: string, data: Value, options: TemplateOptions = {}): Rendered {
    const meter = new Meter({ ...defaultLimits, ...options.limits });
    const output = new Output(options.traces ?? false);
    const execution = new Execution(this, meter, options, new Map());
    try {
      execution.run(name, data, output);
    } catch (error) {
      // The call stack may end before the bounds, and so may the length of a text.
      if (error instanceof RangeError && /call stack|string length/.test(error.message))
        throw new TemplateLimitError(`a template needs too much memory: ${error.message}`, {
          template: name,
          line: 1,
        });
      throw error;
    } finally {
      options.onSteps?.(meter.steps);
    }
    return { text: normalized(output.text), segments: output.segments };
  }

  /** The number of templates. One that replaces another of the cloned set counts twice. */
  get size(): number {
    return this.#trees.size + (this.#base?.size ?? 0);
  }

  /** @internal */
  tree(name: string): Tree | undefined {
    return this.#trees.get(name) ?? this.#base?.tree(name);
  }

  /** @internal */
  function(name: string): GoFunction | undefined {
    return this.#functions.get(name);
  }

  /** Returns a set to which templates can be added without changing this one, which must not change any more. */
  clone(): TemplateSet {
    return new TemplateSet(this.name, this.#functions, this);
  }
}

/** One execution, and those of the templates that functions execute during it. */
class Execution implements Call {
  readonly #set: TemplateSet;
  readonly #meter: Meter;
  readonly #options: TemplateOptions;
  readonly includes: Map<string, number>;
  readonly #run: Run;

  constructor(set: TemplateSet, meter: Meter, options: TemplateOptions, includes: Map<string, number>) {
    this.#set = set;
    this.#meter = meter;
    this.#options = options;
    this.includes = includes;
    this.#run = this.#shared();
  }

  get now(): bigint | undefined {
    return this.#options.now;
  }

  get onRead(): ReadListener | undefined {
    return this.#options.onRead;
  }

  get sample(): Sample | undefined {
    return this.#options.sample;
  }

  run(name: string, data: Value, output: Output): void {
    const tree = this.#set.tree(name);
    if (tree === undefined)
      throw new TemplateError(
        `template: no template ${quoted(name)} associated with template ${quoted(this.#set.name)}`,
        'execute',
      );
    this.runTree(tree, data, output);
  }

  runTree(tree: Tree, data: Value, output: Output): void {
    // reflect.ValueOf(nil) is no value, whose fields are no values either.
    const dot = data ?? undefined;
    executeTree(new State(this.#run, tree, output, dot), dot);
  }

  #shared(): Run {
    const set = this.#set;
    return {
      meter: this.#meter,
      missingKey: this.#options.missingKey ?? 'default',
      call: this,
      onRead: this.#options.onRead,
      lookup: (name) => set.tree(name),
      findFunction: (name) => {
        const own = set.function(name);
        if (own !== undefined) return { function: own, isBuiltin: false };
        const builtin = builtins.get(name);
        return builtin && { function: builtin, isBuiltin: true };
      },
    };
  }

  spend(steps: number): void {
    this.#meter.spend(steps);
  }

  execute(name: string, dot: Value): string {
    const output = new Output(false);
    this.run(name, dot, output);
    return output.text;
  }

  executeText(text: string, dot: Value): string {
    // A copy of the set, and a text to parse.
    this.#meter.spend(this.#set.size + parseCost(text));
    const set = this.#set.clone();
    const { name } = set;
    // An empty text does not replace the template of the text that is running, and yet it is what is executed.
    const tree = set.parse(name, text);
    const execution = new Execution(set, this.#meter, this.#options, this.includes);
    const output = new Output(false);
    try {
      if (tree !== undefined) execution.runTree(tree, dot, output);
    } catch (error) {
      // The text has no position: the error is located where it is executed.
      throw error instanceof TemplateLimitError ? new TemplateLimitError(error.message) : error;
    }
    return output.text;
  }
}
