import type { GeneratedObject, RenderedChart, RenderedManifest } from '../../../engines/charts/index.ts';
import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { objectKey } from '../../model/inventory.ts';
import { counted } from '../../model/words.ts';
import type { RenderFault } from '../fault.ts';
import { releaseObjects, type ReleaseInputs } from './release-objects.ts';

/** A Secret whose values are random, or an object that trusts the authority of its certificate, with its namespace. */
export interface RandomObject {
  readonly object: GoJsonObject;
  /** The file of the chart that it comes from. */
  readonly file: string;
  /** The keys of its random values. */
  readonly keys: readonly string[];
}

/** The objects of a chart, divided. */
interface Divided {
  readonly manifests: readonly RenderedManifest[];
  /** Secrets that are not delivered: those that must not be in Git, and those that are on the clusters in another way. */
  readonly undelivered: readonly GoJsonObject[];
  readonly warnings: readonly RenderFault[];
}

/**
 * Separates what is not delivered of a release: Secrets with random values, what trusts the authorities of their certificates, and Secrets that
 * the source says are on the clusters. What it does not name is reported, and so is a name that the chart does not have. What trusts an
 * authority has no name there: somebody who creates all random Secrets creates it, too.
 *
 * @param names - `clusterSecrets` of the source: names of Secrets, each with or without its namespace
 * @param otherWays - returns how to avoid random Secrets. Empty if there is no way
 */
export function withoutClusterSecrets(
  { manifests, generated }: Pick<RenderedChart, 'manifests' | 'generated'>,
  names: readonly string[],
  inputs: ReleaseInputs,
  otherWays: (secrets: readonly RandomObject[]) => string,
): Divided {
  const random = generated.flatMap((secret) => placed(secret, inputs));
  const named = names.length === 0 ? [] : manifests.filter((manifest) => isNamed(manifest, names, inputs));
  const undelivered = [
    ...random.map(({ object }) => object),
    ...named.flatMap((manifest) => placed({ manifest }, inputs).map(({ object }) => object)),
  ];
  const missing = names.filter(
    (name) => !undelivered.some((object) => isSecret(object) && hasName(object, name)),
  );
  const unnamed = random.filter(
    ({ object }) => isSecret(object) && !names.some((name) => hasName(object, name)),
  );
  const secrets = random.filter(({ object }) => isSecret(object));
  const isNoted = unnamed.length === 0 && secrets.length > 0;
  const reported = isNoted ? [] : random.filter((each) => unnamed.includes(each) || !isSecret(each.object));
  return {
    manifests: named.length === 0 ? manifests : manifests.filter((manifest) => !named.includes(manifest)),
    undelivered,
    warnings: [
      ...(reported.length === 0 ? [] : [randomObjects(reported, names, otherWays(reported))]),
      ...missing.map((name) => ({
        code: 'FW6054' as const,
        error: `it has no Secret "${name}", which \`clusterSecrets\` names`,
      })),
    ],
  };
}

/** Whether two objects are one object of a cluster. */
export function isSameObject(one: GoJsonObject, other: GoJsonObject): boolean {
  return one['apiVersion'] === other['apiVersion'] && wordsOf(one) === wordsOf(other);
}

/** Returns the kind and the name of an object: `Secret agents/agent`. */
export function wordsOf(object: GoJsonObject): string {
  const { kind } = groupVersionKind(object);
  return `${kind} ${keyOf(object)}`;
}

/** Returns a Secret in its namespace. None if it is a hook that is not delivered. */
function placed(
  { manifest, keys = [] }: Pick<GeneratedObject, 'manifest'> & Partial<GeneratedObject>,
  inputs: ReleaseInputs,
): RandomObject[] {
  return releaseObjects([manifest], inputs).objects.map(({ object, file }) => ({ object, file, keys }));
}

function isNamed(manifest: RenderedManifest, names: readonly string[], inputs: ReleaseInputs): boolean {
  if (!isSecret(manifest.object)) return false;
  return placed({ manifest }, inputs).some(({ object }) => names.some((name) => hasName(object, name)));
}

function hasName(object: GoJsonObject, name: string): boolean {
  return name === nameOf(object) || name === keyOf(object);
}

/** Whether an object is a Secret. */
export function isSecret({ apiVersion, kind }: GoJsonObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function keyOf(object: GoJsonObject): string {
  return objectKey(namespaceOf(object), nameOf(object));
}

/** The maximum number of names in a message. */
const mostNames = 3;

function randomObjects(
  objects: readonly RandomObject[],
  named: readonly string[],
  otherWays: string,
): RenderFault {
  const isOne = objects.length === 1;
  const shown = objects.slice(0, mostNames).map((each) => `${wordsOf(each.object)}${keysOf(each)}`);
  const others = objects.length - shown.length;
  const secrets = objects.filter(({ object }) => isSecret(object));
  const names = [...named, ...secrets.map((secret) => nameIn(secrets, secret))];
  return {
    code: 'FW6053',
    error: `${isOne ? 'an object is' : `${objects.length} objects are`} not delivered, because ${isOne ? 'its values are' : 'their values are'} random, and what is delivered is in Git: ${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}`,
    hint: `create ${isOne ? 'it' : 'them'} on each cluster, such as by \`fleetwright render CLUSTER ADDON --secrets\`, and then write \`clusterSecrets: [${names.map((name) => `'${name}'`).join(', ')}]\` into the HelmChart${otherWays === '' ? '' : `; or ${otherWays}`}`,
  };
}

/** Returns the name of a Secret, with its namespace if others have the name. */
function nameIn(secrets: readonly RandomObject[], { object }: RandomObject): string {
  const alike = secrets.filter((other) => nameOf(other.object) === nameOf(object));
  return alike.length === 1 ? nameOf(object) : keyOf(object);
}

function keysOf({ keys }: RandomObject): string {
  return ` (${keys.length > mostNames ? counted(keys.length, 'value') : keys.join(', ')})`;
}
