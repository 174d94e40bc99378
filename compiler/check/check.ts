import type { Diagnostic } from '../diagnostic.ts';
import { addOnRules } from './add-ons/index.ts';
import { manifestRules } from './manifests/index.ts';
import { overrideRules } from './overrides/index.ts';
import { placementRules } from './placements/index.ts';
import { rolloutRules } from './rollouts/index.ts';
import { templateRules } from './templates/index.ts';
import { workRules } from './works/index.ts';
import type { Rule, RuleInput } from './rule.ts';

/** Every rule, in the order in which the findings are returned. Each topic is a folder that lists its rules. */
export const rules: readonly Rule[] = [
  ...addOnRules,
  ...placementRules,
  ...templateRules,
  ...manifestRules,
  ...rolloutRules,
  ...workRules,
  ...overrideRules,
];

/** Runs all rules across objects on one state of the inputs. Findings remove nothing from the result. */
export function check(input: RuleInput): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) for (const finding of rule.check(input)) diagnostics.push(finding);
  return diagnostics;
}
