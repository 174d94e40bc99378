import type { PlanReport } from './plan-report.ts';
import { escapeActing, terminalLine, withoutCommands } from './terminal-line.ts';

/**
 * A report for people: in its untrusted texts, characters that would act in a terminal or change the order of what is read are shown
 * as their escapes, and nothing is a command to the runner of a CI job. Texts are one line, other than the values of a field before and after.
 * What a format takes for markup is for the format to escape.
 */
export function readableReport(report: PlanReport): PlanReport {
  return readable(report, terminalLine, planValues, new Map()) as PlanReport;
}

/**
 * The answer to a question about apps for people, with its texts as in a readable report. Values stay as they are: they are shown as
 * JSON, which is escaped where it is written.
 */
export function readableAnswer<T>(answer: T): T {
  return readable(answer, terminalLine, answerValues, new Map()) as T;
}

type Escape = (text: string) => string;

/** How the texts of a field are escaped, other than those around it. */
type ValueFields = (holder: object, key: string) => Escape | undefined;

const valueText: Escape = (text) => withoutCommands(escapeActing(text));
const planValues: ValueFields = (holder, key) =>
  'path' in holder && (key === 'before' || key === 'after') ? valueText : undefined;
const answerValues: ValueFields = (_holder, key) =>
  key === 'value' || key === 'without' ? (text) => text : undefined;

/** The value itself where nothing in it acts. `seen` has the objects that several places share. */
function readable(
  value: unknown,
  escape: Escape,
  valueFields: ValueFields,
  seen: Map<object, unknown>,
): unknown {
  if (typeof value === 'string') return escape(value);
  if (typeof value !== 'object' || value === null) return value;
  const earlier = seen.get(value);
  if (earlier !== undefined) return earlier;
  const fields = Object.entries(value).map(
    ([key, field]: [string, unknown]) =>
      [escape(key), field, readable(field, valueFields(value, key) ?? escape, valueFields, seen)] as const,
  );
  const isSame = fields.every(([, before, after]) => before === after);
  const result = isSame
    ? value
    : Array.isArray(value)
      ? fields.map(([, , after]) => after)
      : Object.fromEntries(fields.map(([key, , after]) => [key, after]));
  seen.set(value, result);
  return result;
}
