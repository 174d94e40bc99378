import { counted } from '../../model/words.ts';
import type { Severity } from '../../model/codes.ts';
import type { PlanReport } from '../plan-report.ts';
import { fileOf, planResults, ruleTitle, type PlanResult } from '../plan-results.ts';
import { summaryWords } from '../plan-words.ts';
import { withoutCommands } from '../text/terminal-line.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * Formats a plan as GitHub's workflow commands: annotations at the lines that cause something, errors first, and the summary as a
 * notice. GitHub shows ten annotations of each kind per step, so the most important ones come first.
 */
export function planGithub(report: PlanReport): string {
  const lines = shownResults(planResults(report)).map(({ rule, severity, message, location, hint }) => {
    const place = fileOf(location);
    const properties = {
      ...(place && { file: place.file, line: String(place.line), col: String(place.column) }),
      title: `${ruleTitle(rule)} (${rule})`,
    };
    return command(commands[severity], properties, hint === undefined ? message : `${message}\n${hint}`);
  });
  lines.push(command('notice', { title: 'Fleetwright plan' }, summaryWords(report.plan)));
  return lines.map((line) => `${line}\n`).join('');
}

/** The maximum number of changed objects that are listed. The others are counted. GitHub shows ten annotations of each kind. */
const mostObjects = 50;

function shownResults(results: readonly PlanResult[]): readonly PlanResult[] {
  const objects = results.filter(({ rule }) => rule === 'object-changed');
  const more = objects.length - mostObjects;
  if (more <= 0) return results;
  const omitted = new Set(objects.slice(mostObjects));
  const note: PlanResult = {
    rule: 'object-changed',
    severity: 'info',
    message: `and ${counted(more, 'more object')}`,
    identity: 'object-changed more',
  };
  return [...results.filter((result) => !omitted.has(result)), note];
}

function command(name: string, properties: Readonly<Record<string, string>>, message: string): string {
  const parts = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name} ${parts.join(',')}::${escapeMessage(message)}`;
}

// As actions/toolkit escapeData. The runner looks for commands in the old syntax anywhere in a line.
function escapeMessage(text: string): string {
  return withoutCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

// As actions/toolkit escapeProperty.
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
