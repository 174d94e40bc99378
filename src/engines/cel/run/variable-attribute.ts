import { OperandAttribute, type Qualifier } from './attribute.ts';
import type { CelBehaviour } from '../behaviour.ts';
import type { Run } from './evaluation.ts';
import type { ChainColumns } from './chain-columns.ts';
import { CelError } from '../error.ts';
import type { CelResult, CelValue } from '../values/value.ts';

/** A variable of the environment with the steps that lead into it. */
export class VariableAttribute extends OperandAttribute {
  readonly #name: string;
  readonly #steps: string[] = [];
  #constant = true;
  #columns: ChainColumns | undefined;
  #column: (CelValue | undefined)[] = [];

  constructor(name: string, behaviour: CelBehaviour) {
    super((run) => run.variables.get(name) ?? new CelError(`no such attribute(s): ${name}`), behaviour);
    this.#name = name;
  }

  override add(qualifier: Qualifier): void {
    super.add(qualifier);
    const { key, optional, testOnly } = qualifier;
    if (optional || testOnly || (typeof key !== 'string' && typeof key !== 'bigint')) this.#constant = false;
    else this.#steps.push(`${typeof key} ${key}`);
  }

  override resolve(run: Run): CelResult {
    const { chains, row } = run.context;
    if (chains === undefined || row === undefined || !this.#constant) return super.resolve(run);
    if (this.#columns !== chains) {
      this.#columns = chains;
      this.#column = chains.column(JSON.stringify([this.#name, ...this.#steps]));
    }
    const cached = this.#column[row];
    if (cached === undefined) return this.#remembered(run, row);
    for (let step = 0; step < this.#steps.length; step++) run.charge(1);
    return cached;
  }

  /** Errors are computed again each time, because their cost depends on their location. */
  #remembered(run: Run, row: number): CelResult {
    const value = super.resolve(run);
    if (!(value instanceof CelError)) this.#column[row] = value;
    return value;
  }
}
