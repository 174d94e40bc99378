import type { ObjectName } from '../../../client/object.ts';
import { secrets, type Secret } from '../resources.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';

/** Labels of every Secret that the agent creates for an add-on, and of no other Secret. */
const marks = (addOn: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/managed-by': 'fleetwright-agent',
  [addOnNameLabel]: addOn,
});

/** Returns a Secret of the agent with these files, to be applied. */
export function agentSecret(
  { name, namespace }: Required<ObjectName>,
  addOn: string,
  files: Readonly<Record<string, string>>,
): Secret & { readonly metadata: ObjectName } {
  const data = Object.entries(files).map(([file, text]) => [file, encoded(text)] as const);
  return {
    apiVersion: secrets.apiVersion,
    kind: secrets.kind,
    metadata: { name, namespace, labels: marks(addOn) },
    type: 'Opaque',
    data: Object.fromEntries(data),
  };
}

/** Whether the agent created a Secret for this add-on. */
export function isAgentSecret({ metadata }: Secret, addOn: string): boolean {
  return Object.entries(marks(addOn)).every(([label, value]) => metadata.labels?.[label] === value);
}

export function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

export function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
