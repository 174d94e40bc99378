import { isDnsLabel, isDnsSubdomain } from '../../client/names.ts';

// Returns the fault of a name, as a phrase with the requirement.

/** For namespaces, and objects whose names are DNS labels. */
export function labelFault(text: string): string | undefined {
  return isDnsLabel(text) ? undefined : 'a name of lower-case letters, digits and dashes';
}

/** For most other objects. */
export function nameFault(text: string): string | undefined {
  return isDnsSubdomain(text) ? undefined : 'a name of lower-case letters, digits, dashes and dots';
}
