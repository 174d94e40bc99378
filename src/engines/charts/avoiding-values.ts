import { toValue, type Value, type ValueMap } from '../gotemplate/index.ts';
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
  type AvoidingValue,
} from './avoiding-candidates.ts';
import { ChartError, type ChartFault } from './chart-fault.ts';
import type { Chart } from './load-chart.ts';
import { trialLimits, type RenderInput } from './rendering/chart-program.ts';
import type { ReadValue } from './rendering/read-values.ts';
import { copiedMap } from './values/coalesce.ts';

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
      end = this.#end(chosen);
    }
    return { ways: this.#needed(ways) };
  }

  /** Leaves out what a later choice makes unnecessary. */
  #needed(ways: readonly WaysAround[]): readonly WaysAround[] {
    let kept = ways;
    for (const each of ways) {
      const others = kept.filter((other) => other !== each);
      if (others.length > 0 && this.#end(others.flatMap(([first = []]) => first)) === 'rendered')
        kept = others;
    }
    return kept;
  }

  #waysAround(call: Call, chosen: readonly AvoidingValue[]): AvoidingValue[][] {
    const { read, secrets, switches } = this.#candidates(call, chosen);
    const texts = this.#singles(call, chosen, [...read, ...secrets].toSorted(byName));
    if (texts.length > 0) return texts;
    const together = this.#grown(call, chosen, read);
    const ways = this.#fewest(call, chosen, together);
    if (ways.length === 0) ways.push(...this.#fewest(call, chosen, this.#compatible(call, chosen, together)));
    if (ways.length === 0) ways.push(...this.#fewest(call, chosen, [...together, ...secrets]));
    for (const rank of [0, 1, 2, 3]) {
      const ofRank = switches.filter((each) => rankOfSwitch(each) === rank);
      const turned = this.#singles(call, chosen, ofRank);
      if (turned.length > 0) return [...turned, ...ways];
      if (ways.length === 0)
        ways.push(...ofRank.flatMap((each) => this.#fewest(call, chosen, [each, ...together])).slice(0, 1));
    }
    return ways;
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
      all.push(...added.map(asText));
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
      if (ways.length === most.ways) break;
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

  get #isExhausted(): boolean {
    return this.#steps >= most.steps;
  }

  /** Whether a call is not reached any more, and no other fault takes its place. */
  #avoids(call: Call, values: readonly AvoidingValue[]): boolean {
    if (this.#trials >= most.trials || this.#isExhausted) return false;
    this.#trials += 1;
    if (isSame(this.#endOfFile(call.file, values), call)) return false;
    const end = this.#end(values);
    return end !== 'fault' && !isSame(end, call);
  }

  #endOfFile(file: string, values: readonly AvoidingValue[]): End {
    return ended(() => this.#chart.program.faultIn(this.#with(values), file)?.fault);
  }

  #end(values: readonly AvoidingValue[]): End {
    return ended(() => {
      this.#chart.program.render(this.#with(values));
      return undefined;
    });
  }

  #with(values: readonly AvoidingValue[]): RenderInput {
    const all = copiedMap(this.#values);
    for (const { path, value = anyText } of values) setAt(all, path, value);
    return { ...this.#input, values: all };
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
      read: reads.filter(isEmpty).map(asText),
      secrets: secrets.map(asText),
      switches: reads.flatMap((each) => this.#otherValues(each)),
    };
  }

  /** Returns the values that a file reads and that are not chosen. */
  #readIn(file: string, chosen: readonly AvoidingValue[]): readonly ReadValue[] {
    const outcome = this.#faultIn(file, chosen);
    const reads = typeof outcome === 'object' ? outcome.reads : [];
    return distinct(reads.filter((each) => isFree(each, chosen)));
  }

  /** The other position of a switch, and the other texts that templates compare a value with. */
  #otherValues({ path, value }: ReadValue): AvoidingValue[] {
    const names = path as readonly string[];
    if (typeof value === 'boolean') return [{ path: names, value: !value }];
    if (typeof value !== 'string' || value === '') return [];
    return this.#comparedWith(names.at(-1) ?? '')
      .filter((text) => text !== value)
      .map((text) => ({ path: names, value: text }));
  }

  #comparedWith(name: string): string[] {
    const field = `[$.\\w]*\\.${name.replaceAll(/\W/g, '\\$&')}`;
    const compared = new RegExp(
      String.raw`\b(?:eq|ne)\s+(?:${field}\s+"([\w.-]+)"|"([\w.-]+)"\s+${field}\b)`,
      'g',
    );
    const texts = this.#chart.program.templates.flatMap(({ text }) =>
      [...text.matchAll(compared)].map(([, after, before]) => after ?? before ?? ''),
    );
    return [...new Set(texts)];
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

function setAt(values: ValueMap, path: readonly string[], value: Value): void {
  let inside = values;
  for (const step of path.slice(0, -1)) {
    const next = inside.get(step);
    const map = next instanceof Map ? next : new Map<string, Value>();
    inside.set(step, map);
    inside = map;
  }
  inside.set(path.at(-1) ?? '', value);
}
