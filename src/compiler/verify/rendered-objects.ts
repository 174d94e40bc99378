import { createHash } from 'node:crypto';
import { goJson } from '../../base/json/go-json.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import type { ComparedNames } from './compare-state.ts';
import { differencesOf, disagreementsOf, type Compute } from './differences.ts';
import type { VerifiedSubject } from './verification.ts';
import type { WaitingClusters } from './waiting-clusters.ts';

/** An object that a hub rendered for an add-on, without its content. */
export interface RenderedObject {
  /** The kind, the namespace and the name. */
  readonly subject: string;
  readonly addOn: string;
  /** A hash of the part that the hub computes. */
  readonly digest: string;
}

/** Returns the parts that a hub computes from its inputs alone: no owners with uids, no status. */
const computed: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  [ocmKinds.manifestWork.kind, (object) => ({ spec: object['spec'] })],
  ['RoleBinding', (object) => ({ roleRef: object['roleRef'], subjects: object['subjects'] })],
]);

/** All clusters write a binding in another namespace than theirs, and its subjects are those of the last one. */
const shared: Compute = (object) => ({ roleRef: object['roleRef'] });

/** Returns what has to be kept of an object that a hub rendered. */
export function renderedObject(object: KubernetesObject, addOn: string): RenderedObject {
  return { subject: nameOf(object), addOn, digest: digestOf(computed.get(object.kind)?.(object)) };
}

/** A predicted object, of which the hub has another content, or none. */
export interface RenderedOtherwise {
  readonly predicted: KubernetesObject;
  readonly compute: Compute;
}

/** The works and permissions of a hub, compared with the predicted ones. */
export interface ComparedRendering {
  readonly equal: readonly VerifiedSubject[];
  /** The objects whose contents have to be read, beginning with those that need not differ. */
  readonly otherwise: readonly RenderedOtherwise[];
  /** The objects that the hub has, though they are not predicted. */
  readonly surplus: readonly VerifiedSubject[];
}

/**
 * Compares the works and the permissions that a hub has made for add-ons with a template with the predicted ones. Clusters
 * that wait for their wave still have earlier ones, and are left out.
 *
 * @param resolution - the prediction for the objects of the hub
 * @param waiting - the clusters that still have earlier works
 * @param rendered - what the hub has rendered, by its kind: undefined for a kind that may not be read
 * @param names - the add-ons to compare. @default - all
 */
export function compareRendered(
  resolution: Resolution,
  waiting: WaitingClusters,
  rendered: ReadonlyMap<string, readonly RenderedObject[] | undefined>,
  names?: Pick<ComparedNames, 'addOns'>,
): ComparedRendering {
  // Managers of add-ons without a template make their works.
  const compared = [...resolution.configuration.values()].filter(
    ({ name, delivery, template }) =>
      delivery === 'hub' && template && (names === undefined || names.addOns.has(name)),
  );
  const comparison = new RenderedComparison(rendered);
  for (const { name, clusters } of compared) {
    for (const cluster of clusters.keys()) {
      const { works = [], roleBindings = [] } = resolution.rendering.clusterAddOn(name, cluster) ?? {};
      const isSettled = waiting.get(name)?.has(cluster) !== true;
      for (const object of [...works, ...roleBindings] as object[] as readonly KubernetesObject[])
        comparison.add(object, isSettled);
    }
    for (const binding of resolution.rendering.sharedBindings(name))
      comparison.add(binding as object as KubernetesObject, true, shared);
  }
  return comparison.result(new Set(compared.map(({ name }) => name)));
}

/** Returns the answer of a hub about an object whose content was read. */
export function compareRenderedObject(
  { predicted, compute }: RenderedOtherwise,
  answered: KubernetesObject | undefined,
): VerifiedSubject {
  const differences = differencesOf(compute, predicted, answered);
  return subjectOf(nameOf(predicted), disagreementsOf(differences));
}

/** Returns the answer of a hub about an object whose content differs, and was not read. */
export function differentObject({ predicted }: RenderedOtherwise): VerifiedSubject {
  const difference = { part: 'object', predicted: 'one content', answered: 'another, which was not read' };
  return subjectOf(nameOf(predicted), disagreementsOf([difference]));
}

class RenderedComparison {
  readonly #onHub = new Map<string, RenderedObject>();
  readonly #kinds: ReadonlySet<string>;
  readonly #predicted = new Set<string>();
  readonly #equal: VerifiedSubject[] = [];
  readonly #otherwise: RenderedOtherwise[] = [];

  constructor(rendered: ReadonlyMap<string, readonly RenderedObject[] | undefined>) {
    const readable = [...rendered].filter(([, objects]) => objects !== undefined);
    this.#kinds = new Set(readable.map(([kind]) => kind));
    for (const [, objects = []] of readable)
      for (const object of objects) this.#onHub.set(object.subject, object);
  }

  add(predicted: KubernetesObject, isSettled: boolean, compute = computed.get(predicted.kind)): void {
    const subject = nameOf(predicted);
    this.#predicted.add(subject);
    if (!isSettled || compute === undefined || !this.#kinds.has(predicted.kind)) return;
    const digest = this.#onHub.get(subject)?.digest;
    if (compute === shared) this.#otherwise.unshift({ predicted, compute });
    else if (digest === digestOf(compute(predicted))) this.#equal.push(subjectOf(subject, []));
    else this.#otherwise.push({ predicted, compute });
  }

  result(addOns: ReadonlySet<string>): ComparedRendering {
    const surplus = [...this.#onHub.values()]
      .filter((object) => !this.#predicted.has(object.subject) && addOns.has(object.addOn))
      .map(({ subject }) =>
        subjectOf(
          subject,
          disagreementsOf([{ part: 'object', predicted: 'does not exist', answered: 'exists' }]),
        ),
      );
    return { equal: this.#equal, otherwise: this.#otherwise, surplus };
  }
}

function subjectOf(subject: string, disagreements: VerifiedSubject['disagreements']): VerifiedSubject {
  return { kind: 'rendered', subject, answers: 1, disagreements };
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(goJson(value ?? null))
    .digest('base64');
}
