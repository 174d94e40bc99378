import type { Code } from '../model/codes.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Decision } from './decision.ts';
import type { Misconfiguration, Unscheduled } from './fault.ts';
import type { SchedulerIndex } from './scheduler-index.ts';
import { labelOperators } from './label-selector.ts';
import { closest } from '../model/suggestion.ts';
import { quote } from '../model/words.ts';
import { pointAt } from '../model/point-at.ts';

/** Reports problems of one decision: the hub decides nothing, or not what the placement appears to request. */
export function checkDecision(decision: Decision, hub: SchedulerIndex): Diagnostic[] {
  const { misconfiguration, unscheduled, reasoning } = decision;
  const diagnostics: Diagnostic[] = [];
  if (unscheduled !== undefined) diagnostics.push(...undecided(decision, unscheduled));
  if (misconfiguration !== undefined) diagnostics.push(misconfigured(decision, misconfiguration));
  if (reasoning?.unsettled === true) diagnostics.push(unsettled(decision));
  if (reasoning?.revision !== undefined) diagnostics.push(revised(decision, reasoning.revision));
  diagnostics.push(...expiredScores(decision, hub));
  return diagnostics;
}

const consequences: Record<
  Exclude<Unscheduled['reason'], 'known by its decisions'>,
  { readonly code: Code; readonly so: string; readonly hint: string }
> = {
  'negative number of clusters': {
    code: 'FW3002',
    so: 'so the placement controller of the hub crashes, and decides for no placement',
    hint: 'remove numberOfClusters to select all clusters',
  },
  'name too long': {
    code: 'FW3003',
    so: 'so the hub cannot write decisions for it',
    hint: 'give the placement a name of at most 63 characters',
  },
  'unreadable cluster set': {
    code: 'FW3004',
    so: 'so the hub leaves its earlier decision as it is',
    hint: 'correct the label selector of the ManagedClusterSet',
  },
  'unknown expression': {
    code: 'FW3005',
    so: 'so the selection of the hub is unknown, and the earlier decision is used instead',
    hint: 'use other fields or functions in the expression, or select by labels or claims',
  },
  'scheduling disabled': {
    code: 'FW3006',
    so: 'so the hub leaves its earlier decision as it is',
    hint: 'remove the annotation to let the hub decide again',
  },
  'being deleted': {
    code: 'FW3006',
    so: 'so the hub leaves its earlier decision as it is',
    hint: 'its decisions are deleted with it; remove it from the inputs to see the effect',
  },
};

function undecided(decision: Decision, { reason, message, path }: Unscheduled): Diagnostic[] {
  // The Placement is not among the inputs, which is allowed.
  if (reason === 'known by its decisions') return [];
  const { code, so, hint } = consequences[reason];
  return [diagnostic(code, { message: `${message}, ${so}`, ...pointAt(decision.placement, path), hint })];
}

function misconfigured(decision: Decision, { plugin, message, path }: Misconfiguration): Diagnostic {
  return diagnostic('FW3001', {
    message: `the hub reports this placement as misconfigured and ${outcome(decision, path)}: ${plugin === '' ? '' : `${plugin}: `}${firstLine(message)}`,
    ...pointAt(decision.placement, path),
    hint: remedy(message, path),
  });
}

/**
 * Returns the first line of CEL's message. The rest repeats the expression and marks the position, which the finding has as its
 * location.
 */
function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

function outcome({ selected }: Decision, path: FieldPath): string {
  if (path[1] !== 'decisionStrategy') return 'selects no cluster';
  return selected.length === 0
    ? 'removes all its decisions'
    : 'keeps only the decision groups before the faulty one';
}

function remedy(message: string, path: FieldPath): string {
  if (path.includes('clustersPerDecisionGroup'))
    return 'write a number without quotes, or a percentage such as "25%"';
  if (path.includes('claimSelector') && message.includes('a valid label must be')) {
    return 'claim selectors accept only label values; compare other claim values with a CEL expression';
  }
  if (path.includes('celExpressions'))
    return 'correct the expression; until then everything that uses this placement is uninstalled';
  const [, operator] = /^"(.+?)" is not a valid label selector operator/.exec(message) ?? [];
  const meant = operator === undefined ? undefined : closest(operator, labelOperators);
  if (meant !== undefined)
    return `did you mean ${quote(meant)}? Until it is correct, everything that uses this placement is uninstalled`;
  return 'correct the field; until then everything that uses this placement is uninstalled';
}

function unsettled(decision: Decision): Diagnostic {
  return diagnostic('FW3007', {
    message: 'the hub never settles this placement: it selects other clusters each time',
    ...pointAt(decision.placement, ['spec', 'prioritizerPolicy']),
    hint: 'give Steady a positive weight, or remove numberOfClusters',
  });
}

function revised(decision: Decision, revision: readonly string[]): Diagnostic {
  const revisedClusters = new Set(revision);
  const present = new Set(decision.selected);
  const leaving = decision.selected.filter((cluster) => !revisedClusters.has(cluster));
  const coming = revision.filter((cluster) => !present.has(cluster));
  return diagnostic('FW3010', {
    message: `other placements displace it: the next time, the hub selects ${some(coming)} instead of ${some(leaving)}`,
    ...pointAt(decision.placement, ['spec', 'prioritizerPolicy']),
    hint: 'set the weight of Steady to 3 or more to keep the clusters, or the weight of Balance to 0',
  });
}

function some(clusters: readonly string[]): string {
  const [first = ''] = clusters;
  return clusters.length === 1 ? `"${first}"` : `${clusters.length} clusters ("${first}", …)`;
}

function expiredScores(decision: Decision, { index }: SchedulerIndex): Diagnostic[] {
  const scored =
    decision.reasoning?.scheduling.prioritizers?.some(({ addOn }) => addOn !== undefined) ?? false;
  if (decision.reasoning === undefined || !scored) return [];
  return decision.reasoning.ranking().prioritizers.flatMap(({ prioritizer, expired }): Diagnostic[] => {
    const [first] = index.namesOf(expired.slice(0, 1));
    if (first === undefined) return [];
    const where =
      expired.length === 1 ? `cluster "${first}"` : `${expired.length} clusters, including "${first}",`;
    return [
      diagnostic('FW3009', {
        message: `the scores of ${prioritizer.name} for ${where} have expired, so they count as 0, which is more than a negative score`,
        ...pointAt(decision.placement, ['spec', 'prioritizerPolicy', 'configurations']),
        hint: 'make sure that the scores are refreshed, or pull a new snapshot of the fleet',
      }),
    ];
  });
}
