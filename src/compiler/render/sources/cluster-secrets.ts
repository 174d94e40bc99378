import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { objectKey } from '../../model/inventory.ts';
import { counted } from '../../model/words.ts';
import type { RenderFault } from '../fault.ts';

/** An object of a release, and the file of the chart that it comes from. */
interface ReleaseObject {
  readonly object: GoJsonObject;
  readonly file: string;
}

/** A Secret whose content is random, in its place. */
export interface PlacedSecret {
  readonly object: GoJsonObject;
  /** The keys of its random values. */
  readonly keys: readonly string[];
}

/** The objects of a release, divided. */
interface Divided<T extends ReleaseObject> {
  readonly objects: readonly T[];
  /** Secrets that are not delivered: what nobody may have in Git, or what is on the clusters in another way. */
  readonly undelivered: readonly GoJsonObject[];
  readonly warnings: readonly RenderFault[];
}

/**
 * Separates the Secrets that are not delivered: those with random content, and those that the source says are on the clusters. What it
 * does not name is reported, and so is a name that the chart does not have.
 *
 * @param names - `clusterSecrets` of the source
 */
export function withoutClusterSecrets<T extends ReleaseObject>(
  objects: readonly T[],
  random: readonly PlacedSecret[],
  names: readonly string[],
): Divided<T> {
  const isNamed = (object: GoJsonObject): boolean => isSecret(object) && names.includes(nameOf(object));
  const named = objects.filter(({ object }) => isNamed(object));
  const undelivered = [...random.map(({ object }) => object), ...named.map(({ object }) => object)];
  const missing = names.filter((name) => !undelivered.some((object) => nameOf(object) === name));
  const unnamed = random.filter(({ object }) => !isNamed(object));
  return {
    objects: named.length === 0 ? objects : objects.filter(({ object }) => !isNamed(object)),
    undelivered,
    warnings: [
      ...(unnamed.length === 0 ? [] : [randomSecrets(unnamed, names)]),
      ...missing.map((name) => ({
        code: 'FW6054' as const,
        error: `it has no Secret "${name}", which \`clusterSecrets\` names`,
      })),
    ],
  };
}

/** Whether two objects are one Secret. */
export function isSameSecret(one: GoJsonObject, other: GoJsonObject): boolean {
  return [one, other].every(isSecret) && keyOf(one) === keyOf(other);
}

function isSecret({ apiVersion, kind }: GoJsonObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function keyOf(object: GoJsonObject): string {
  return objectKey(namespaceOf(object), nameOf(object));
}

/** The maximum number of names in a message. */
const mostNames = 3;

function randomSecrets(secrets: readonly PlacedSecret[], named: readonly string[]): RenderFault {
  const isOne = secrets.length === 1;
  const shown = secrets.slice(0, mostNames).map((secret) => `${keyOf(secret.object)}${keysOf(secret)}`);
  const others = secrets.length - shown.length;
  const names = [...named, ...secrets.map(({ object }) => nameOf(object))];
  return {
    code: 'FW6053',
    error: `${isOne ? 'a Secret is' : `${secrets.length} Secrets are`} not delivered, because ${isOne ? 'its values are' : 'their values are'} random, and what is delivered is in Git: ${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}`,
    hint: `create ${isOne ? 'it' : 'them'} on each cluster, such as by \`fleetwright render CLUSTER ADDON --secrets\`, and then write \`clusterSecrets: [${names.map((name) => `'${name}'`).join(', ')}]\` into the HelmChart`,
  };
}

function keysOf({ keys }: PlacedSecret): string {
  return keys.length === 0
    ? ''
    : ` (${keys.length > mostNames ? counted(keys.length, 'value') : keys.join(', ')})`;
}
