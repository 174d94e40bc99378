import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { fieldAt, textAt } from '../api/placement-references.ts';
import type { Admitted } from '../model/inventory.ts';
import type { ApplicationObject } from './application.ts';

/** A requirement on a label of Applications. */
interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The steps of a progressive sync, each with the requirements on its Applications. */
export type SyncSteps = readonly (readonly Expression[])[];

/** Returns the steps of an ApplicationSet; undefined if it syncs all Applications at once. */
export function syncStepsOf({ object }: Admitted): SyncSteps | undefined {
  if (textAt(object, ['spec', 'strategy', 'type']) !== 'RollingSync') return undefined;
  const steps = fieldAt(object, ['spec', 'strategy', 'rollingSync', 'steps']);
  if (!isJsonList(steps) || steps.length === 0) return undefined;
  return steps.map((step) => {
    const expressions = fieldAt(step, ['matchExpressions']);
    return (isJsonList(expressions) ? expressions : [])
      .filter(isJsonMap)
      .map(({ key, operator, values }) => ({
        key: typeof key === 'string' ? key : '',
        operator: typeof operator === 'string' ? operator : '',
        values: (isJsonList(values) ? values : []).map(String),
      }));
  });
}

/** Returns the number of the first step that has an Application, from 1. Argo CD does not sync an Application in no step. */
export function stepOf(steps: SyncSteps, { metadata }: ApplicationObject): number | undefined {
  const index = steps.findIndex((expressions) =>
    expressions.every((expression) => isMet(expression, fieldAt(metadata, ['labels', expression.key]))),
  );
  return index < 0 ? undefined : index + 1;
}

/** As the ApplicationSet controller: an unknown operator selects only Applications without the label. */
function isMet({ operator, values }: Expression, value: unknown): boolean {
  if (typeof value !== 'string') return operator !== 'In';
  if (operator === 'In') return values.includes(value);
  return operator === 'NotIn' && !values.includes(value);
}
