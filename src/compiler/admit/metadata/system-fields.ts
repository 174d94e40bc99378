import type { FieldPath } from '../../model/field-path.ts';
import { show, type Fault } from '../fault.ts';
import { byteLength } from '../../../base/names/name-syntax.ts';
import type { ReadMeta } from './object-meta.ts';

/**
 * Returns the faults of `generation` and `managedFields`. The API server overwrites those of a new object, so only embedded
 * objects can have such faults. As apimachinery ValidateNonnegativeField and ValidateManagedFields.
 */
export function systemFieldFaults(
  { generation = 0, managedFields = [] }: ReadMeta,
  path: FieldPath,
): Fault[] {
  const faults: Fault[] = [];
  if (generation < 0) {
    const message = `generation must not be negative, but is ${show(generation)}`;
    faults.push({ code: 'FW2004', field: [...path, 'generation'], message });
  }
  for (const [index, { operation, fieldsType, manager, subresource }] of managedFields.entries()) {
    const fault = (key: string, message: string): void => {
      faults.push({ code: 'FW2004', field: [...path, 'managedFields', index, key], message });
    };
    if (operation !== 'Apply' && operation !== 'Update') {
      fault('operation', `operation must be "Apply" or "Update", but is ${show(operation ?? '')}`);
    }
    if (fieldsType !== undefined && fieldsType !== 'FieldsV1') {
      fault('fieldsType', `fieldsType must be "FieldsV1", but is ${show(fieldsType)}`);
    }
    if (typeof manager === 'string' && (byteLength(manager) > 128 || unprintable.test(manager))) {
      fault('manager', `manager ${show(manager)} must have at most 128 bytes, all of them printable`);
    }
    if (typeof subresource === 'string' && byteLength(subresource) > 256) {
      fault('subresource', `subresource must have at most 256 bytes, but has ${byteLength(subresource)}`);
    }
  }
  return faults;
}

// as unicode.IsPrint: the only printable separator is the space
const unprintable = /\p{C}|(?! )\p{Z}/u;
