import type { PlanReport } from './plan-report.ts';
import { escapeActing, terminalLine, withoutCommands } from './terminal-line.ts';

/**
 * A report for people: in its untrusted texts, characters that would act in a terminal or change the order of what is read are shown
 * as their escapes, and nothing is a command to the runner of a CI job. Texts are one line, other than the values of a field before and after.
 * What a format takes for markup is for the format to escape.
 */
export function readableReport(report: PlanReport): PlanReport {
  return readable(report, terminalLine, new Map()) as PlanReport;
}

type Escape = (text: string) => string;

const valueText: Escape = (text) => withoutCommands(escapeActing(text));
const valueFields: ReadonlySet<string> = new Set(['before', 'after']);

/** The value itself where nothing in it acts. `seen` has the objects that several places share. */
function readable(value: unknown, escape: Escape, seen: Map<object, unknown>): unknown {
  if (typeof value === 'string') return escape(value);
  if (typeof value !== 'object' || value === null) return value;
  const earlier = seen.get(value);
  if (earlier !== undefined) return earlier;
  const isChange = 'path' in value;
  const fields = Object.entries(value).map(
    ([key, field]: [string, unknown]) =>
      [
        escape(key),
        field,
        readable(field, isChange && valueFields.has(key) ? valueText : escape, seen),
      ] as const,
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
