import type { Elsewhere, ObjectIdentity } from './elsewhere.ts';
import { objectKey } from './inventory.ts';
import { quote } from './words.ts';

/** The end of a hint about an object that is not in the inputs. */
export const orExternal = 'or list it under external in fleetwright.yaml if the hub has it';

/** Returns the texts of FW7026, for a reference to an object whose existence is unknown. */
export function unansweredReference(
  { kind, namespace, name = '' }: ObjectIdentity,
  { hasFleet }: Elsewhere,
): { readonly message: string; readonly hint: string } {
  const reason = hasFleet
    ? 'the fleet snapshot does not cover objects of this kind'
    : 'there is no fleet snapshot to look in';
  return {
    message: `the app does not have ${kind} ${quote(objectKey(namespace, name))}, and ${reason}`,
    hint: `pull a snapshot with "fleetwright fleet pull", ${orExternal}`,
  };
}
