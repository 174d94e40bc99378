import type { PlanReport } from './plan-report.ts';
import { escapeActing, terminalLine, withoutCommands } from './text/terminal-line.ts';

/**
 * Makes a report safe to display. In its untrusted texts, characters that take effect in a terminal or change the reading order
 * are replaced with their escapes, and nothing is a command to the runner of a CI job. Texts are one line, except the values of a
 * field before and after. Each format escapes its own markup.
 */
export function readableReport(report: PlanReport): PlanReport {
  return readable(report, terminalLine, planValues, new Map()) as PlanReport;
}

/**
 * Makes the answer to a question about apps safe to display, with its texts as in a readable report. Values are unchanged,
 * because they are shown as JSON, which is escaped when it is written.
 */
export function readableAnswer<T>(answer: T): T {
  return readable(answer, terminalLine, answerValues, new Map()) as T;
}

type Escape = (text: string) => string;

/** Returns the escape function for the texts of a field, if it differs from that of the surrounding texts. */
type ValueFields = (holder: object, key: string) => Escape | undefined;

const valueText: Escape = (text) => withoutCommands(escapeActing(text));
const planValues: ValueFields = (holder, key) =>
  'path' in holder && (key === 'before' || key === 'after') ? valueText : undefined;
const answerValues: ValueFields = (_holder, key) =>
  key === 'value' || key === 'without' ? (text) => text : undefined;

/** Returns the value itself if nothing in it takes effect. `seen` has the objects that occur in several locations. */
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
  if (Array.isArray(value)) {
    // Most lists are of thousands of cluster names, in which nothing takes effect.
    const items = value.map((item: unknown) => readable(item, escape, valueFields, seen));
    const result = items.every((item, index) => item === value[index]) ? value : items;
    seen.set(value, result);
    return result;
  }
  const fields = Object.entries(value).map(
    ([key, field]: [string, unknown]) =>
      [escape(key), field, readable(field, valueFields(value, key) ?? escape, valueFields, seen)] as const,
  );
  const isSame = fields.every(([, before, after]) => before === after);
  const result = isSame ? value : Object.fromEntries(fields.map(([key, , after]) => [key, after]));
  seen.set(value, result);
  return result;
}
