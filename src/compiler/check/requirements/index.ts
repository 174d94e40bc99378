import type { Rule } from '../rule.ts';
import { configuredRequirement } from './configured-requirement.ts';
import { invalidRequirement } from './invalid-requirement.ts';
import { missingRequirement } from './missing-requirement.ts';
import { requirementCycle } from './requirement-cycle.ts';
import { undeclaredRequirement } from './undeclared-requirement.ts';
import { unenforcedOrder } from './unenforced-order.ts';

/** The rules for add-ons that require others, in the order in which their findings are returned. */
export const requirementRules: readonly Rule[] = [
  invalidRequirement,
  requirementCycle,
  missingRequirement,
  configuredRequirement,
  unenforcedOrder,
  undeclaredRequirement,
];
