// What is wrong with a name, as a phrase that says what it must be. As Kubernetes' validation of names.

/** Namespaces, and objects whose names are labels of DNS. */
export function labelFault(written: string): string | undefined {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(written)
    ? undefined
    : 'a name of lower-case letters, digits and dashes';
}

/** Most other objects. */
export function nameFault(written: string): string | undefined {
  return /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(written)
    ? undefined
    : 'a name of lower-case letters, digits, dashes and dots';
}
