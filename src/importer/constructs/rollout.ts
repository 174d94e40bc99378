import type {
  ClusterManagementAddOnV1beta1RolloutProgressive,
  ClusterManagementAddOnV1beta1RolloutStrategy,
} from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { listExpression } from '../code/list-expression.ts';
import type { Context } from '../context.ts';
import { goDuration } from './duration.ts';
import {
  at,
  call,
  literal,
  name,
  object,
  unlessEmptyList,
  unlessEmptyObject,
  type Expression,
  type FieldValue,
} from '../code/expression.ts';

/** Whether the types of the constructs accept the number or percentage. */
export function isShare(value: number | string): boolean {
  return typeof value === 'number' || /^\d{1,9}%$/.test(value);
}

/**
 * Writes `Rollout.progressive(…)` and similar calls. `none` if the strategy has only defaults of the hub; undefined if `Rollout`
 * cannot express it.
 */
export function rollout(
  strategy: ClusterManagementAddOnV1beta1RolloutStrategy | undefined,
  placement: { readonly namespace: string; readonly name: string },
  path: FieldPath,
  context: Context,
): Expression | 'none' | undefined {
  if (strategy === undefined) return 'none';
  const { type = 'All', ...options } = strategy;
  const [method, field] = methods[type];
  const { [field]: settings, ...others } = options;
  if (Object.keys(others).length > 0) return undefined;
  if (settings === undefined) return type === 'All' ? 'none' : undefined;
  // `Rollout.all` is only needed for a deadline
  if (type === 'All' && settings.progressDeadline === 'None') return undefined;
  const props = steps(settings, [...path, field], (group) => context.decisionGroup(placement, group));
  return props && call('Rollout', method, unlessEmptyObject(props));
}

const methods = {
  All: ['all', 'all'],
  Progressive: ['progressive', 'progressive'],
  ProgressivePerGroup: ['progressivePerGroup', 'progressivePerGroup'],
} as const;

function steps(
  settings: ClusterManagementAddOnV1beta1RolloutProgressive,
  path: FieldPath,
  variableOf: (group: string) => string | undefined,
): Expression | undefined {
  const {
    mandatoryDecisionGroups,
    maxConcurrency,
    maxFailures = 0,
    minSuccessTime = '0',
    progressDeadline = 'None',
  } = settings;
  const groups = listExpression(
    mandatoryDecisionGroups,
    [...path, 'mandatoryDecisionGroups'],
    ({ groupName, groupIndex }) => {
      if (groupIndex !== undefined) return groupName === undefined ? literal(groupIndex) : undefined;
      if (groupName === undefined) return undefined;
      const variable = variableOf(groupName);
      return variable === undefined ? literal(groupName) : name(variable);
    },
  );
  const soak = minSuccessTime === '0' ? 'none' : goDuration(minSuccessTime);
  const deadline = progressDeadline === 'None' ? 'none' : goDuration(progressDeadline);
  const hasShares = (maxConcurrency === undefined || isShare(maxConcurrency)) && isShare(maxFailures);
  const hasGroups = groups !== undefined || mandatoryDecisionGroups === undefined;
  if (!hasShares || !hasGroups || soak === undefined || deadline === undefined) return undefined;
  const field = (key: string, value: Expression | 'none' | undefined): FieldValue | undefined =>
    at([...path, key], value === 'none' ? undefined : value);
  return object({
    mandatoryGroups: field('mandatoryDecisionGroups', unlessEmptyList(groups)),
    maxConcurrency: field('maxConcurrency', maxConcurrency === undefined ? 'none' : literal(maxConcurrency)),
    minSuccessTime: field('minSuccessTime', soak),
    progressDeadline: field('progressDeadline', deadline),
    maxFailures: field('maxFailures', maxFailures === 0 ? 'none' : literal(maxFailures)),
  });
}
