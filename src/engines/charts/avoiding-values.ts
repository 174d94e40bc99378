import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { toValue, type ValueMap } from '../gotemplate/index.ts';
import {
  asText,
  byName,
  distinct,
  isEmpty,
  isFree,
  keyOf,
  leavesOf,
  nameOf,
  rankOfSwitch,
  secretName,
  withValues,
  type AvoidingValue,
} from './avoiding-candidates.ts';
import { ChartError, type ChartFault } from './chart-fault.ts';
import type { Chart } from './load-chart.ts';
import { isReadAsList, textsComparedWith } from './value-texts.ts';
import { trialLimits, type RenderInput } from './rendering/chart-program.ts';
import type { ReadValue } from './rendering/read-values.ts';

/** The ways around one call, the best first. Each is a set of values. */
type WaysAround = readonly (readonly AvoidingValue[])[];

/** What ends a search. */
const most = {
  /** Trials of one list of candidates. */
  trials: 60,
  /** Calls that are avoided. */
  calls: 12,
  /** Ways around a call. */
  ways: 3,
  /** How often a file is read with more values. */
  rounds: 4,
  /** Steps of all templates. */
  steps: 5_000_000,
} as const;

/** A text that is a valid name, base64, and as long as a key of AES. */
const anyText = 'fixedfixedfixed0';

/** How to avoid the calls of a chart that are not supported. */
interface AvoidedCalls {
  /** For each call. */
  readonly ways: readonly WaysAround[];
  /** Where a call is that no value avoids, such as `templates/secret.yaml:12`. */
  readonly unavoidable?: string;
}

/**
 * Returns the values with which a chart calls no function that is not supported: for each call, the ways around it, found by rendering
 * with other values in place of those that the template reads.
 */
export function avoidingValues(chart: Chart, input: RenderInput): AvoidedCalls {
  return new AvoidingSearch(chart, input).search();
}

/** A call that is not supported, in a file that is rendered. */
interface Call {
  readonly file: string;
  readonly message: string;
  /** The line of the call, which can be in another file. */
  readonly line: string;
}

/** The end of a rendering: a call, nothing that is wrong, or another fault. */
type End = Call | 'rendered' | 'fault';

type FileFault = NonNullable<ReturnType<Chart['program']['faultIn']>>;

/** The values that a search tries. */
interface Candidates {
  /** Those that are empty and that the file of the call reads. */
  readonly read: readonly AvoidingValue[];
  /** Other empty values with the name of a secret. */
  readonly secrets: readonly AvoidingValue[];
  /** Switches, and values that templates compare with texts. */
  readonly switches: readonly AvoidingValue[];
}

class AvoidingSearch {
  readonly #chart: Chart;
  readonly #input: RenderInput;
  readonly #values: ValueMap;
  /** By the values, and by the file if one alone is rendered. */
  readonly #ends = new Map<string, End>();
  #trials = 0;
  #steps = 0;

  constructor(chart: Chart, { onTopValue: _, ...input }: RenderInput) {
    this.#chart = chart;
    this.#input = {
      ...input,
      limits: trialLimits,
      onSteps: (steps) => {
        this.#steps += steps;
      },
    };
    this.#values = toValue(input.values) as ValueMap;
  }

  search(): AvoidedCalls {
    const ways: WaysAround[] = [];
    const chosen: AvoidingValue[] = [];
    let end = this.#end(chosen);
    while (typeof end === 'object') {
      const around = ways.length === most.calls ? [] : this.#waysAround(end, chosen);
      const [first] = around;
      if (first === undefined) return { ways, unavoidable: end.line };
      ways.push(around);
      chosen.push(...first);
      end = this.#endFrom(end.file, chosen);
    }
    return { ways: this.#needed(ways) };
  }

  /** Leaves out what a later choice makes unnecessary. */
  #needed(ways: readonly WaysAround[]): readonly WaysAround[] {
    let kept = ways;
    for (const each of ways) {
      if (this.#isExhausted) break;
      const others = kept.filter((other) => other !== each);
      if (others.length > 0 && this.#end(others.flatMap(([first = []]) => first)) === 'rendered')
        kept = others;
    }
    return kept;
  }

  #waysAround(call: Call, chosen: readonly AvoidingValue[]): readonly AvoidingValue[][] {
    const candidates = this.#candidates(call, chosen);
    const turned = (rank: number): AvoidingValue[][] =>
      this.#singles(
        call,
        chosen,
        candidates.switches.filter((each) => rankOfSwitch(each) === rank),
      );
    const read = this.#singles(call, chosen, candidates.read.toSorted(byName));
    if (read.length > 0) return read;
    for (const rank of [0, 1, 2]) {
      const ways = turned(rank);
      if (ways.length > 0)
        return this.#isHalfUsed ? ways : [...ways, ...this.#sets(call, chosen, candidates)];
    }
    const others = this.#singles(call, chosen, candidates.secrets.toSorted(byName));
    if (others.length > 0) return others;
    const sets = this.#sets(call, chosen, candidates);
    const ways = [...turned(3), ...sets];
    return ways.length > 0 ? ways : this.#switchWithSet(call, chosen, candidates);
  }

  /** Returns texts that avoid a call together. */
  #sets(
    call: Call,
    chosen: readonly AvoidingValue[],
    { read, secrets }: Candidates,
  ): readonly AvoidingValue[][] {
    const together = this.#grown(call, chosen, read);
    for (const some of [
      () => together,
      () => this.#compatible(call, chosen, together),
      () => [...together, ...secrets],
    ]) {
      const ways = this.#fewest(call, chosen, some());
      if (ways.length > 0) return ways;
    }
    return [];
  }

  /** Returns a switch that avoids a call together with texts. */
  #switchWithSet(
    call: Call,
    chosen: readonly AvoidingValue[],
    { read, switches }: Candidates,
  ): readonly AvoidingValue[][] {
    const together = this.#grown(call, chosen, read);
    for (const each of switches.toSorted((one, other) => rankOfSwitch(one) - rankOfSwitch(other))) {
      const ways = this.#fewest(call, chosen, [each, ...together]);
      if (ways.length > 0) return ways;
    }
    return [];
  }

  /** Adds the empty values that the file reads once it has the others. */
  #grown(
    { file }: Call,
    chosen: readonly AvoidingValue[],
    read: readonly AvoidingValue[],
  ): readonly AvoidingValue[] {
    const all = [...read];
    for (let round = 0; round < most.rounds && !this.#isExhausted; round++) {
      const added = this.#readIn(file, [...chosen, ...all]).filter(isEmpty);
      if (added.length === 0) break;
      all.push(...added.map((each) => this.#asText(each)));
    }
    return all;
  }

  /** Returns the values that avoid a call, each alone. */
  #singles(
    call: Call,
    chosen: readonly AvoidingValue[],
    candidates: readonly AvoidingValue[],
  ): AvoidingValue[][] {
    this.#trials = 0;
    const ways: AvoidingValue[][] = [];
    for (const candidate of candidates) {
      if (ways.length === most.ways || (ways.length > 0 && this.#isHalfUsed)) break;
      if (this.#avoids(call, [...chosen, candidate])) ways.push([candidate]);
    }
    return ways;
  }

  /** Leaves out values with which, beside those before them, the file has another fault: some exclude each other. */
  #compatible(
    { file }: Call,
    chosen: readonly AvoidingValue[],
    candidates: readonly AvoidingValue[],
  ): readonly AvoidingValue[] {
    const kept: AvoidingValue[] = [];
    for (const each of candidates.slice(0, most.trials))
      if (!this.#isExhausted && !this.#hasFault(file, [...chosen, ...kept, each])) kept.push(each);
    return kept;
  }

  /** Whether a file has another fault than a call that is not supported. */
  #hasFault(file: string, values: readonly AvoidingValue[]): boolean {
    const isOther = (fault: ChartFault | undefined): boolean =>
      fault !== undefined && fault.code !== 'FW6028';
    const outcome = this.#faultIn(file, values);
    return outcome === 'fault' || isOther(outcome?.fault) || isOther(outcome?.next);
  }

  /** Returns what is wrong in a file, with what it reads; `fault` if the values cannot be rendered at all. */
  #faultIn(file: string, values: readonly AvoidingValue[]): FileFault | 'fault' | undefined {
    try {
      return this.#chart.program.faultIn(this.#with(values), file);
    } catch (error) {
      if (error instanceof ChartError) return 'fault';
      throw error;
    }
  }

  /** Returns values that avoid a call together, without those that it does not need, as the only way. */
  #fewest(
    call: Call,
    chosen: readonly AvoidingValue[],
    candidates: readonly AvoidingValue[],
  ): AvoidingValue[][] {
    this.#trials = 0;
    let needed = [...candidates];
    if (needed.length < 2 || !this.#avoids(call, [...chosen, ...needed])) return [];
    for (let size = Math.ceil(needed.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < needed.length;) {
        const fewer = needed.toSpliced(at, size);
        if (fewer.length > 0 && this.#avoids(call, [...chosen, ...fewer])) needed = fewer;
        else at += size;
      }
    return [needed];
  }

  /** Whether to look for no further ways around a call, so that steps are left for the other calls. */
  get #isHalfUsed(): boolean {
    return this.#steps >= most.steps / 2;
  }

  get #isExhausted(): boolean {
    return this.#steps >= most.steps;
  }

  /** Whether a call is not reached any more, and no other fault takes its place. */
  #avoids(call: Call, values: readonly AvoidingValue[]): boolean {
    if (this.#trials >= most.trials || this.#isExhausted) return false;
    this.#trials += 1;
    if (isSame(this.#endOfFile(call.file, values), call)) return false;
    const end = this.#endFrom(call.file, values);
    return end !== 'fault' && !isSame(end, call);
  }

  /** Returns the end of one file if it has a call, otherwise that of the chart, which takes longer. */
  #endFrom(file: string, values: readonly AvoidingValue[]): End {
    const end = this.#endOfFile(file, values);
    return end === 'rendered' ? this.#end(values) : end;
  }

  #endOfFile(file: string, values: readonly AvoidingValue[]): End {
    return this.#once(values, file, () => this.#chart.program.faultIn(this.#with(values), file)?.fault);
  }

  #end(values: readonly AvoidingValue[]): End {
    return this.#once(values, undefined, () => {
      this.#chart.program.render(this.#with(values));
      return undefined;
    });
  }

  #once(values: readonly AvoidingValue[], file: string | undefined, run: () => ChartFault | undefined): End {
    return getOrInsertComputed(this.#ends, JSON.stringify([file, values]), () => ended(run));
  }

  #with(values: readonly AvoidingValue[]): RenderInput {
    return { ...this.#input, values: withValues(this.#values, values, anyText) };
  }

  /** Returns the values to try: those that the file reads, the last one before the call first, and others that may be secrets. */
  #candidates({ file }: Call, chosen: readonly AvoidingValue[]): Candidates {
    const reads = this.#readIn(file, chosen);
    const keys = new Set(reads.map(({ path }) => keyOf(path)));
    const secrets = leavesOf(this.#chart.values, []).filter(
      (each) =>
        isEmpty(each) && secretName.test(nameOf(each)) && isFree(each, chosen) && !keys.has(keyOf(each.path)),
    );
    return {
      read: reads.filter(isEmpty).map((each) => this.#asText(each)),
      secrets: secrets.map((each) => this.#asText(each)),
      switches: reads.flatMap((each) => this.#otherValues(each)),
    };
  }

  /** Returns the values that a file reads and that are not chosen. */
  #readIn(file: string, chosen: readonly AvoidingValue[]): readonly ReadValue[] {
    const outcome = this.#faultIn(file, chosen);
    const reads = typeof outcome === 'object' ? outcome.reads : [];
    return distinct(reads.filter((each) => isFree(each, chosen)));
  }

  /** Any text in place of an empty value, in a list if templates read it as one. */
  #asText(value: ReadValue): AvoidingValue {
    const text = asText(value);
    return value.value === undefined && isReadAsList(this.#chart, nameOf(value))
      ? { ...text, isItem: true }
      : text;
  }

  /** The other position of a switch, and the other texts that templates compare a value with. */
  #otherValues({ path, value }: ReadValue): AvoidingValue[] {
    const names = path as readonly string[];
    if (typeof value === 'boolean') return [{ path: names, value: !value }];
    if (typeof value !== 'string' || value === '') return [];
    return textsComparedWith(this.#chart, names.at(-1) ?? '')
      .filter((text) => text !== value)
      .map((text) => ({ path: names, value: text }));
  }
}

function ended(run: () => ChartFault | undefined): End {
  try {
    const fault = run();
    return fault === undefined ? 'rendered' : endWith(fault);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const [first] = error.faults;
    return first === undefined ? 'fault' : endWith(first);
  }
}

function endWith({ code, message, template = '', file = template, line = 1 }: ChartFault): End {
  return code === 'FW6028' ? { file: template, message, line: `${file}:${line}` } : 'fault';
}

function isSame(end: End, { file, message }: Call): boolean {
  return typeof end === 'object' && end.file === file && end.message === message;
}
