import { isDnsLabel, isDnsSubdomain } from '../kube/names.ts';

// What is wrong with a name, as a phrase that says what it must be.

/** Namespaces, and objects whose names are labels of DNS. */
export function labelFault(written: string): string | undefined {
  return isDnsLabel(written) ? undefined : 'a name of lower-case letters, digits and dashes';
}

/** Most other objects. */
export function nameFault(written: string): string | undefined {
  return isDnsSubdomain(written) ? undefined : 'a name of lower-case letters, digits, dashes and dots';
}
