import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { secretReferences, type SecretReference } from '../../../ocm/clusters/secret-references.ts';
import { closest } from '../../model/suggestion.ts';
import { objectKey } from '../../model/inventory.ts';
import { quote } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { agentCredentials, type AgentCredentials } from './agent-credentials.ts';
import { copiedPullSecret, DeliveredSecrets } from './delivered-secrets.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports pods that need a Secret which their namespace does not have: the credentials of a registration, which the registration agent
 * writes elsewhere, or a Secret that no manifest creates.
 */
export const missingSecret: Rule = {
  codes: ['FW8318', 'FW8325'],
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
  readonly secrets: DeliveredSecrets;
  readonly hub: HubVersion;
  /** Whether the clusters have a Secret that is in no manifest. */
  readonly exists: (namespace: string, name: string) => boolean;
}

function surroundingsOf(deliveries: readonly Delivery[], { inventory, hub }: RuleInput): Surroundings {
  const existences = new Map<string, boolean>();
  const existence = (namespace: string, name: string): boolean =>
    inventory.elsewhere.existence({ group: '', kind: 'Secret', namespace, name }) === 'exists';
  return {
    secrets: new DeliveredSecrets(deliveries, hub),
    hub,
    exists: (namespace, name) =>
      getOrInsertComputed(existences, objectKey(namespace, name), () => existence(namespace, name)),
  };
}

function* findingsOf(delivery: Delivery, surroundings: Surroundings): Iterable<Tallied> {
  const needing = needingOf(delivery);
  const { secrets, exists } = surroundings;
  const credentials = agentCredentials(delivery, surroundings.hub);
  const reported = new Set<string>();
  for (const [manifest, references] of needing) {
    const { namespace } = manifest.resource;
    if (credentials !== undefined)
      yield* misplaced(delivery, manifest, { references, credentials, surroundings });
    for (const reference of references) {
      const { name } = reference;
      const key = objectKey(namespace, name);
      const isOfAgent = credentials?.names.has(name) === true || credentials?.mounted.has(name) === true;
      if (isOfAgent || reported.has(key)) continue;
      const clusters = secrets.lackingOn(delivery, namespace, name).length;
      if (clusters === 0 || exists(namespace, name)) continue;
      reported.add(key);
      yield missing(delivery, manifest, { reference, credentials, clusters });
    }
  }
}

/** Returns the objects that the agent writes and that need Secrets. */
const needingOf = oncePer(function* ({
  objects,
  options,
}: Delivery): Iterable<readonly [DeliveredManifest, readonly SecretReference[]]> {
  for (const manifest of objects) {
    const references = secretReferences(manifest.kindKey, manifest.object);
    if (references.length > 0 && updateStrategyOf(options, manifest.resource) !== 'ReadOnly')
      yield [manifest, references];
  }
});

interface NeededCredentials {
  readonly references: readonly SecretReference[];
  readonly credentials: AgentCredentials;
  readonly surroundings: Surroundings;
}

/** Reports an object whose pods need credentials of a registration that its namespace does not get. */
function* misplaced(
  delivery: Delivery,
  manifest: DeliveredManifest,
  { references, credentials, surroundings: { secrets, exists } }: NeededCredentials,
): Iterable<Tallied> {
  const { names, mounted, isHere } = credentials;
  const { namespace } = manifest.resource;
  const isElsewhere = !isHere || namespace !== credentials.namespace;
  const absent = references.find(({ name }) =>
    names.has(name) ? isElsewhere : mounted.has(name) && !exists(namespace, name),
  );
  if (absent === undefined || exists(namespace, absent.name)) return;
  const { name } = absent;
  const clusters = delivery.clusters.filter((cluster) => !secrets.has(cluster, namespace, name));
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
  readonly reference: SecretReference;
  readonly credentials: AgentCredentials | undefined;
  readonly clusters: number;
}

function missing(
  delivery: Delivery,
  { words, path, resource: { namespace } }: DeliveredManifest,
  { reference, credentials, clusters }: Missing,
): Tallied {
  const { name, isForImages } = reference;
  const effect = isForImages
    ? `with which images of ${words} of ${delivery.words} are pulled`
    : `without which the pods of ${words} of ${delivery.words} never start`;
  return found('FW8325', delivery, {
    path: [...path, ...reference.path],
    message: `no manifest creates Secret ${quote(objectKey(namespace, name))}, ${effect}`,
    hint: hintOf(name, namespace, namesIn(namespace, delivery, credentials)),
    clusters,
  });
}

function hintOf(name: string, namespace: string, candidates: ReadonlySet<string>): string {
  if (name === copiedPullSecret.name)
    return `label Namespace ${quote(namespace)} with ${copiedPullSecret.label}: "true", so that OCM's operator copies the Secret there`;
  const otherwise =
    'the Secret to the manifests, or list it under external in fleetwright.yaml if the clusters have it';
  const similar = closest(name, candidates);
  return similar === undefined
    ? `add ${otherwise}`
    : `did you mean ${quote(similar)}? Otherwise add ${otherwise}`;
}

/** Returns the Secrets that a delivery creates in a namespace. */
function namesIn(
  namespace: string,
  { objects }: Delivery,
  credentials: AgentCredentials | undefined,
): ReadonlySet<string> {
  const written = objects
    .filter(({ kindKey, resource }) => kindKey === '/Secret' && resource.namespace === namespace)
    .map(({ resource }) => resource.name);
  return new Set([...written, ...(credentials?.namespace === namespace ? credentials.names : [])]);
}
