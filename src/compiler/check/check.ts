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

/**
 * Runs all rules across objects on one state of the inputs. Findings remove nothing from the result.
 *
 * @param ignored - codes whose findings are not used: a rule that has no other codes does not run
 */
export function check(input: RuleInput, ignored: ReadonlySet<Code> = new Set()): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    if (rule.codes.every((code) => ignored.has(code))) continue;
    for (const finding of rule.check(input)) diagnostics.push(finding);
  }
  return diagnostics;
}
