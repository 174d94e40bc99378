import { forbidden, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';

/** As ValidatePriorityClass. The classes of Kubernetes itself are not checked. */
export function priorityClassFaults(object: Struct): readonly FieldFault[] {
  const name = object.embedded('metadata').text('name');
  const value = object.integer('value') ?? 0;
  if (name.startsWith('system-') || value <= 1_000_000_000) return [];
  return [forbidden(object.at('value'), 'maximum allowed value of a user defined priority is 1000000000')];
}
