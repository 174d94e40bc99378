import { counted } from '../../model/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { locationText } from '../plan-words.ts';
import { code, escape, headWords } from './markdown-markup.ts';
import { planMarker } from './plan-markdown.ts';

/** A plan that could not be made. */
export interface FailedPlan {
  /** The commit of the later state, or its name if it is not a commit. */
  readonly head: string;
  /** The commit that the later state merges. @default - it is no merge */
  readonly merged?: string;
  readonly exitCode: number;
  /** The reasons, the first one first. */
  readonly errors: readonly (Pick<Diagnostic, 'message' | 'location'> & Partial<Pick<Diagnostic, 'code'>>)[];
}

/** Formats a comment that replaces the plan of an earlier commit: without a plan, nothing is known of the present one. */
export function failedPlanMarkdown({ head, merged, exitCode, errors }: FailedPlan): string {
  const [first, ...others] = errors;
  const lines = first === undefined ? [] : [errorLine(first)];
  if (others.length > 0) lines.push(`- and ${counted(others.length, 'more error')}\n`);
  return `${planMarker}\n## No plan for ${headWords({ head, ...(merged !== undefined && { merged }) })}\n\n${code('fleetwright plan')} failed with exit code ${exitCode}, so the effect of this commit is not known. A plan of an earlier commit does not apply to it.\n\n${lines.join('')}`;
}

function errorLine({ code: id, message, location }: FailedPlan['errors'][number]): string {
  const place = locationText(location);
  const name = id === undefined ? 'error' : `error ${id}`;
  return `- **${name}** ${escape(message)}${place === undefined ? '' : ` (${code(place)})`}\n`;
}
