import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import type { OutsideGateReport } from './gate-report.ts';
import type { PrometheusGate } from './promotion.ts';

/** The body of Prometheus's answer, that of a refusal, or the reason why it is missing. */
export type QueryAnswer =
  { readonly body: string } | { readonly refusal: string } | { readonly problem: string };

const comparisons = {
  '<': (value: number, limit: number) => value < limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '>=': (value: number, limit: number) => value >= limit,
  '==': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
} as const;

const conditionSyntax = /^(<|<=|>|>=|==|!=) *([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$/;
const sampleSyntax = /^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|Inf)$/;
const longestError = 120;

/** Returns the test of a condition such as `< 0.01`; undefined if it is not one. */
export function conditionOfText(text: string): ((value: number) => boolean) | undefined {
  const [, operator, limit] = conditionSyntax.exec(text) ?? [];
  if (operator === undefined || limit === undefined) return undefined;
  const compare = comparisons[operator as keyof typeof comparisons];
  return (value) => compare(value, Number(limit));
}

/**
 * Returns whether an answer of Prometheus opens its gate. Only an answer with exactly one number can: no series, several series,
 * NaN, an error and a partial answer do not.
 */
export function prometheusReport(
  name: string,
  { condition }: PrometheusGate,
  answer: QueryAnswer,
): OutsideGateReport {
  const closed = (text: string): OutsideGateReport => ({ name, isOpen: false, text: `${name} ${text}` });
  const sample = sampleOf(answer);
  if ('problem' in sample) return closed(`has no value: ${sample.problem}`);
  const { text } = sample;
  if (conditionOfText(condition)?.(numberOf(text)) !== true)
    return closed(`is ${text}, and must be ${condition}`);
  return { name, isOpen: true, text: `${name} is ${text} (${condition})` };
}

type Sample = { readonly text: string } | { readonly problem: string };

function sampleOf(answer: QueryAnswer): Sample {
  if ('problem' in answer) return answer;
  const sample = sampleIn('refusal' in answer ? answer.refusal : answer.body);
  // Whatever the body of a refusal contains, it is not a value.
  return 'refusal' in answer && 'text' in sample ? { problem: 'the server refuses the query' } : sample;
}

function sampleIn(body: string): Sample {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return { problem: 'the answer is not JSON' };
  }
  if (!isJsonMap(answer)) return { problem: 'the answer is not that of Prometheus' };
  const { status, error, data, warnings } = answer;
  if (status === 'error')
    return { problem: `the query fails: ${typeof error === 'string' ? shortened(error) : 'no reason'}` };
  if (status !== 'success' || !isJsonMap(data)) return { problem: 'the answer is not that of Prometheus' };
  if (isJsonList(warnings) && warnings.length > 0)
    return { problem: `the answer may be partial: ${shortened(wordsOf(warnings[0]))}` };
  const doubt = doubtIn(answer);
  if (doubt !== undefined)
    return { problem: `the answer may be partial: ${doubt[0]} is ${shortened(JSON.stringify(doubt[1]))}` };
  const { resultType, result } = data;
  if (!isJsonList(result)) return { problem: 'the answer is not that of Prometheus' };
  if (resultType === 'scalar') return textOf(result);
  if (resultType !== 'vector') return { problem: 'the query must return a vector or a scalar' };
  const [series] = result;
  if (result.length !== 1)
    return {
      problem:
        result.length === 0
          ? 'the query returns no series'
          : `the query returns ${result.length} series, and must return one`,
    };
  return textOf(isJsonMap(series) ? series['value'] : undefined);
}

function textOf(sample: unknown): Sample {
  const isSample = isJsonList(sample) && sample.length === 2 && typeof sample[0] === 'number';
  const text = isSample ? sample[1] : undefined;
  if (text === 'NaN') return { problem: 'the query returns NaN' };
  if (typeof text === 'string' && text.length <= 40 && sampleSyntax.test(text)) return { text };
  return { problem: 'the query does not return a number' };
}

function numberOf(text: string): number {
  return Number(text.replace('Inf', 'Infinity'));
}

/** Returns the first field at any level that says so. The labels of a series have any names. */
function doubtIn(value: unknown): readonly [string, unknown] | undefined {
  if (isJsonList(value)) {
    for (const entry of value) {
      const doubt = doubtIn(entry);
      if (doubt !== undefined) return doubt;
    }
    return undefined;
  }
  if (!isJsonMap(value)) return undefined;
  for (const field of Object.entries(value)) {
    if (field[0] === 'metric') continue;
    const doubt = isDoubtful(field) ? field : doubtIn(field[1]);
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

/**
 * Whether a field says that the answer is not complete, or that something failed, such as `isPartial` of VictoriaMetrics. Servers
 * that are compatible with Prometheus have their own fields, so their names decide.
 */
function isDoubtful([name, value]: readonly [string, unknown]): boolean {
  if (/complete$|^success$/i.test(name) && !/incomplete/i.test(name)) return value === false;
  if (!/partial|incomplete|truncat|error|warning|fail|timed?_?out/i.test(name)) return false;
  const isEmptyList = isJsonList(value) && value.length === 0;
  return ![undefined, null, false, '', 0].includes(value as null) && !isEmptyList;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text comes from another server. */
function shortened(text: string): string {
  return text.length > longestError ? `${text.slice(0, longestError)}…` : text;
}
