import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import {
  podReferences,
  type PodDependency,
  type PodReference,
} from '../../../ocm/clusters/pod-references.ts';
import { closest } from '../../model/suggestion.ts';
import { objectKey } from '../../model/inventory.ts';
import { quote } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { agentCredentials, type AgentCredentials } from './agent-credentials.ts';
import { copiedPullSecret, DeliveredDependencies } from './delivered-dependencies.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports pods that need an object which their namespace does not have: the credentials of a registration, which the registration agent
 * writes elsewhere, or a Secret, a ConfigMap, a claim or a ServiceAccount that no manifest creates.
 */
export const missingDependency: Rule = {
  codes: ['FW8318', 'FW8325', 'FW8329'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const surroundings = surroundingsOf(deliveries, input);
    return tally(
      needingDeliveries(deliveries).flatMap((delivery) => [...findingsOf(delivery, surroundings)]),
    );
  },
};

const needingDeliveries = oncePerPart((part: readonly Delivery[]) =>
  part.filter((delivery) => isReported(delivery) && needingOf(delivery).length > 0),
);

/** What exists beside a delivery. */
interface Surroundings {
  readonly delivered: DeliveredDependencies;
  readonly hub: HubVersion;
  /** Whether the clusters have an object that is in no manifest. */
  readonly exists: (kind: PodDependency, namespace: string, name: string) => boolean;
}

function surroundingsOf(deliveries: readonly Delivery[], { inventory, hub }: RuleInput): Surroundings {
  const existences = new Map<string, boolean>();
  const existence = (kind: PodDependency, namespace: string, name: string): boolean =>
    inventory.elsewhere.existence({ group: '', kind, namespace, name }) === 'exists';
  return {
    delivered: new DeliveredDependencies(deliveries, hub),
    hub,
    exists: (kind, namespace, name) =>
      getOrInsertComputed(existences, `${kind} ${objectKey(namespace, name)}`, () =>
        existence(kind, namespace, name),
      ),
  };
}

function* findingsOf(delivery: Delivery, surroundings: Surroundings): Iterable<Tallied> {
  const needing = needingOf(delivery);
  const { delivered, exists } = surroundings;
  const credentials = agentCredentials(delivery, surroundings.hub);
  const reported = new Set<string>();
  for (const [manifest, references] of needing) {
    const { namespace } = manifest.resource;
    if (credentials !== undefined)
      yield* misplaced(delivery, manifest, { references, credentials, surroundings });
    for (const reference of references) {
      const { kind, name } = reference;
      const key = `${kind} ${objectKey(namespace, name)}`;
      if (isOfAgent(reference, credentials) || reported.has(key)) continue;
      const clusters = delivered.lackingOn(delivery, kind, namespace, name).length;
      if (clusters === 0 || exists(kind, namespace, name)) continue;
      reported.add(key);
      yield missing(delivery, manifest, { reference, credentials, clusters });
    }
  }
}

/** Whether a reference is to the credentials of a registration. */
function isOfAgent({ kind, name }: PodReference, credentials: AgentCredentials | undefined): boolean {
  if (kind !== 'Secret' || credentials === undefined) return false;
  return credentials.names.has(name) || credentials.mounted.has(name);
}

/** Returns the objects that the agent writes and whose pods need others. */
const needingOf = oncePer(function* ({
  objects,
  options,
}: Delivery): Iterable<readonly [DeliveredManifest, readonly PodReference[]]> {
  for (const manifest of objects) {
    const references = podReferences(manifest.kindKey, manifest.object);
    if (references.length > 0 && updateStrategyOf(options, manifest.resource) !== 'ReadOnly')
      yield [manifest, references];
  }
});

interface NeededCredentials {
  readonly references: readonly PodReference[];
  readonly credentials: AgentCredentials;
  readonly surroundings: Surroundings;
}

/** Reports an object whose pods need credentials of a registration that its namespace does not get. */
function* misplaced(
  delivery: Delivery,
  manifest: DeliveredManifest,
  { references, credentials, surroundings: { delivered, exists } }: NeededCredentials,
): Iterable<Tallied> {
  const { names, mounted, isHere } = credentials;
  const { namespace } = manifest.resource;
  const isElsewhere = !isHere || namespace !== credentials.namespace;
  const existsHere = (name: string): boolean => exists('Secret', namespace, name);
  const absent = references
    .filter(({ kind }) => kind === 'Secret')
    .find(({ name }) => (names.has(name) ? isElsewhere : mounted.has(name) && !existsHere(name)));
  if (absent === undefined || existsHere(absent.name)) return;
  const { name } = absent;
  const clusters = delivery.clusters.filter((cluster) => !delivered.hasSecret(cluster, namespace, name));
  if (clusters.length === 0) return;
  const { because, hint } = names.has(name)
    ? elsewhereWords(credentials)
    : {
        because: `the agent writes no Secret ${quote(name)}, which the hub mounts for the signer`,
        hint: 'register with type KubeClient in place of this custom signer',
      };
  yield found('FW8318', delivery, {
    path: [...manifest.path, 'metadata', 'namespace'],
    message: `the pods of ${manifest.words} never start, because ${because}`,
    hint,
    clusters: clusters.length,
  });
}

function elsewhereWords({ namespace, isHere }: AgentCredentials): { because: string; hint: string } {
  const secrets = 'the Secrets of the registrations, which they need, are only';
  return isHere
    ? {
        because: `${secrets} in namespace ${quote(namespace)}`,
        hint: 'put all workloads of the template into one namespace, or divide them between two add-ons',
      }
    : {
        because: `${secrets} on the hosting cluster`,
        hint: 'deliver the workload to the hosting cluster, with the annotation addon.open-cluster-management.io/hosted-manifest-location: hosting',
      };
}

interface Missing {
  readonly reference: PodReference;
  readonly credentials: AgentCredentials | undefined;
  readonly clusters: number;
}

function missing(
  delivery: Delivery,
  { words, path, resource: { namespace } }: DeliveredManifest,
  { reference, credentials, clusters }: Missing,
): Tallied {
  const { kind, name, isForImages } = reference;
  const effect = isForImages
    ? `with which images of ${words} of ${delivery.words} are pulled`
    : `without which the pods of ${words} of ${delivery.words} ${effects[kind]}`;
  return found(kind === 'Secret' ? 'FW8325' : 'FW8329', delivery, {
    path: [...path, ...reference.path],
    message: `no manifest creates ${kind} ${quote(objectKey(namespace, name))}, ${effect}`,
    hint: hintOf(reference, namespace, namesIn(namespace, kind, delivery, credentials)),
    clusters,
  });
}

/** What becomes of pods without an object. */
const effects: Readonly<Record<PodDependency, string>> = {
  ConfigMap: 'never start',
  PersistentVolumeClaim: 'are never scheduled',
  Secret: 'never start',
  // as the admission plugin ServiceAccount, which rejects them
  ServiceAccount: 'are never created',
};

function hintOf({ kind, name }: PodReference, namespace: string, candidates: ReadonlySet<string>): string {
  if (kind === 'Secret' && name === copiedPullSecret.name)
    return `label Namespace ${quote(namespace)} with ${copiedPullSecret.label}: "true", so that OCM's operator copies the Secret there`;
  const otherwise = `the ${kind} to the manifests, or list it under external in fleetwright.yaml if the clusters have it`;
  const similar = closest(name, candidates);
  return similar === undefined
    ? `add ${otherwise}`
    : `did you mean ${quote(similar)}? Otherwise add ${otherwise}`;
}

/** Returns the objects of a kind that a delivery creates in a namespace. */
function namesIn(
  namespace: string,
  kind: PodDependency,
  { objects }: Delivery,
  credentials: AgentCredentials | undefined,
): ReadonlySet<string> {
  const written = objects
    .filter(({ kindKey, resource }) => kindKey === `/${kind}` && resource.namespace === namespace)
    .map(({ resource }) => resource.name);
  const ofAgent = kind === 'Secret' && credentials?.namespace === namespace ? credentials.names : [];
  return new Set([...written, ...ofAgent]);
}
