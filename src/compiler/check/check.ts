import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { RecordedFields } from '../../base/collections/recorded-fields.ts';
import { Remembered } from '../../base/collections/remembered.ts';
import type { Code } from '../model/codes.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addOnRules } from './add-ons/index.ts';
import { clusterRules } from './cluster/index.ts';
import { ignoredRules } from './ignored/index.ts';
import { manifestRules } from './manifests/index.ts';
import { objectRules } from './objects/index.ts';
import { overrideRules } from './overrides/index.ts';
import { placementRules } from './placements/index.ts';
import { requirementRules } from './requirements/index.ts';
import { rolloutRules } from './rollouts/index.ts';
import { templateRules } from './templates/index.ts';
import { webhookRules } from './webhooks/index.ts';
import { workRules } from './works/index.ts';
import type { Rule, RuleInput } from './rule.ts';

/** Every rule, in the order in which the findings are returned. Each topic is a folder that lists its rules. */
export const rules: readonly Rule[] = [
  ...addOnRules,
  ...requirementRules,
  ...placementRules,
  ...templateRules,
  ...manifestRules,
  ...rolloutRules,
  ...workRules,
  ...webhookRules,
  ...clusterRules,
  ...ignoredRules,
  ...overrideRules,
  ...objectRules,
];

/** The findings of a rule, and what it read. */
interface RuleFindings {
  readonly findings: readonly Diagnostic[];
  /** Undefined if it read what differs in every state. */
  readonly read: RecordedFields<RuleInput> | undefined;
}

const remembered = new Map(rules.map((rule) => [rule, new Remembered<RuleFindings>()]));

/** The rules that read what differs in every state, by `results`. Recording what they read would be of no use. */
const unrecorded = new WeakMap<object, Set<Rule>>();

/**
 * Runs all rules across objects on one state of the inputs. Findings remove nothing from the result.
 *
 * @param ignored - codes whose findings are not used: a rule that has no other codes does not run
 * @param results - as `ResolveOptions.results`
 */
export function check(
  input: RuleInput,
  ignored: ReadonlySet<Code> = new Set(),
  results?: object,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    if (rule.codes.every((code) => ignored.has(code))) continue;
    for (const finding of findingsOf(rule, input, results)) diagnostics.push(finding);
  }
  return diagnostics;
}

/** Returns the findings of a rule: those in an earlier state if everything that the rule read is the same. */
function findingsOf(rule: Rule, input: RuleInput, results: object | undefined): Iterable<Diagnostic> {
  const kept = remembered.get(rule);
  if (results === undefined || kept === undefined) return rule.check(input);
  const differing = getOrInsertComputed(unrecorded, results, () => new Set());
  if (differing.has(rule)) return rule.check(input);
  const compute = (): RuleFindings => {
    const read = new RecordedFields(input, ['inventory']);
    const findings = [...rule.check(read.object)];
    if (read.hasRead('rendering') || read.hasRead('configuration')) {
      differing.add(rule);
      return { findings, read: undefined };
    }
    read.end();
    return { findings, read };
  };
  return kept.of(results, [], compute, ({ read }) => read?.isCurrent(input) === true).findings;
}
