import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { ApiError } from '../../../client/api-error.ts';
import { ApiReader } from '../../../client/api-reader.ts';
import { DryRunClient } from '../../../client/dry-run-client.ts';
import type { Resource } from '../../../client/resource.ts';
import { type Engine, objectKey, type SensitiveValues } from '../../../compiler/index.ts';
import {
  compareStored,
  mutatorsOf,
  refusalOf,
  type Difference,
  type SubjectKind,
  type Unasked,
  type VerifiedSubject,
} from '../../../compiler/verify/index.ts';
import { hubCallOptions, type OpenHub } from '../connect-to-hub.ts';
import { hubError } from '../hub-error.ts';
import { unlessForbidden } from '../unless-forbidden.ts';
import { inParallel } from './in-parallel.ts';
import { grant } from './permission-rule.ts';
import { ruleOf, ServedKinds } from './served-kinds.ts';
import type { VerifiedPart } from './verify-placements.ts';

/** The objects of a workspace, and how they are applied. */
export interface ObjectQuestions {
  readonly hub: OpenHub;
  readonly engine: Engine;
  /** The objects of the output. */
  readonly objects: readonly KubernetesObject[];
  /** The objects that the engine would delete, with their kinds. */
  readonly removals: readonly RemovedObject[];
  readonly masks: SensitiveValues;
  readonly now: () => number;
  readonly progress: (answers: number) => void;
}

/** An object on the hub that the output does not have. */
export interface RemovedObject {
  readonly resource: Resource;
  readonly object: KubernetesObject;
}

/** The field managers of the engines. */
const fieldManagers: Readonly<Record<Engine, string>> = {
  argocd: 'argocd-controller',
  flux: 'kustomize-controller',
  none: 'fleetwright',
};
const admissionGroup = 'admissionregistration.k8s.io';
const mutatingKinds: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'MutatingAdmissionPolicy',
]);

/**
 * Asks the API server what it would store of each object of the output, and whether it would delete what the output does not have. All
 * requests are dry runs.
 *
 * @throws HubError if the hub cannot be read
 */
export async function verifyObjects(questions: ObjectQuestions): Promise<VerifiedPart> {
  return await new ObjectAsker(questions).ask();
}

class ObjectAsker {
  readonly #questions: ObjectQuestions;
  readonly #client: DryRunClient;
  readonly #kinds: ServedKinds;
  readonly #subjects = new Map<string, VerifiedSubject>();
  readonly #unasked = new Map<string, Unasked>();
  /** The webhooks and policies that may change objects; undefined if they may not be read. */
  #mutating: readonly KubernetesObject[] | undefined;

  constructor(questions: ObjectQuestions) {
    const { hub, engine } = questions;
    this.#questions = questions;
    this.#client = new DryRunClient(hub.transport, hubCallOptions, fieldManagers[engine]);
    this.#kinds = new ServedKinds(new ApiReader(hub.transport, hubCallOptions));
  }

  async ask(): Promise<VerifiedPart> {
    const { objects, removals } = this.#questions;
    this.#mutating = await this.#readMutating();
    await inParallel(objects, async (object) => await this.#attempt(object, () => this.#apply(object)));
    await inParallel(
      removals,
      async ({ resource, object }) =>
        await this.#attempt(object, async () => await this.#remove(resource, object)),
    );
    // In the order of the questions.
    const subjects = [
      ...objects.flatMap((object) => this.#subjects.get(keyOf('object', object)) ?? []),
      ...removals.flatMap(({ object }) => this.#subjects.get(keyOf('removal', object)) ?? []),
    ];
    return { subjects, unasked: [...this.#unasked.values()] };
  }

  /** @throws HubError for a hub that does not answer */
  async #attempt(object: KubernetesObject, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      this.#questions.progress(this.#subjects.size);
    } catch (error) {
      const resource = await this.#kinds.of(object).catch(() => undefined);
      throw hubError(error, { server: this.#questions.hub.reader.server, verb: 'get', resource });
    }
  }

  async #readMutating(): Promise<readonly KubernetesObject[] | undefined> {
    const { reader } = this.#questions.hub;
    const resources = (await reader.resourcesOf(admissionGroup)).filter(({ kind }) =>
      mutatingKinds.has(kind),
    );
    const objects: KubernetesObject[] = [];
    for (const resource of resources) {
      const listed = await unlessForbidden(reader.list(resource), () => {
        const what = `what changes objects: ${resource.plural}`;
        const rule = { ...ruleOf(resource), verbs: ['list'] };
        this.#leaveOut(
          what,
          'the user may not list them, so that no difference names its cause',
          grant(rule),
        );
      });
      if (listed === undefined) return undefined;
      objects.push(...listed.map((object) => ({ ...object, kind: resource.kind })));
    }
    return objects;
  }

  async #apply(object: KubernetesObject): Promise<void> {
    const { hub, masks, now } = this.#questions;
    const { name = '', namespace } = object.metadata;
    const resource = await this.#kinds.of(object);
    if (resource === undefined) {
      if (this.#hasDefinition(object)) this.#leaveOut(nameOf(object), 'the hub does not have its kind yet');
      else this.#answer('object', object, [refused('the hub does not serve its kind')]);
      return;
    }
    const id = { name, ...(namespace !== undefined && { namespace }) };
    const live = await unlessForbidden(hub.reader.get(resource, id), () =>
      this.#leaveOutForbidden(object, resource, 'get'),
    );
    if (this.#unasked.has(nameOf(object))) return;
    let answered: JsonMap;
    try {
      answered = await this.#client.apply(resource, { ...object, metadata: { ...object.metadata, name } });
    } catch (error) {
      this.#refuse('object', object, resource, error);
      return;
    }
    const operation = live === undefined ? 'CREATE' : 'UPDATE';
    const request = { operation, group: groupOf(resource.apiVersion), plural: resource.plural } as const;
    const mutators = this.#mutating && mutatorsOf(this.#mutating, request);
    const stored = { emitted: object, answered: objectOf(answered), live, mutators, masks, now: now() };
    this.#answer('object', object, compareStored(stored));
  }

  async #remove(resource: Resource, object: KubernetesObject): Promise<void> {
    const { name = '', namespace } = object.metadata;
    try {
      await this.#client.delete(resource, { name, ...(namespace !== undefined && { namespace }) });
      this.#answer('removal', object, []);
    } catch (error) {
      this.#refuse('removal', object, resource, error);
    }
  }

  /** @throws the error unless it is an answer of the API server */
  #refuse(kind: SubjectKind, object: KubernetesObject, resource: Resource, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const { code, message } = error.status;
    const refusal = refusalOf(code, message);
    if (refusal.by === 'permission') {
      this.#leaveOutForbidden(object, resource, ...(kind === 'removal' ? ['delete'] : ['create', 'patch']));
    } else if (refusal.by === 'webhook without dry run') {
      this.#leaveOut(nameOf(object), `webhook ${refusal.name} does not answer dry runs`);
    } else if (code === 404 && this.#isNamespaceToCome(object)) {
      this.#leaveOut(nameOf(object), 'the hub does not have its namespace yet');
    } else {
      const cause = refusal.by === 'admission' ? refusal.cause : undefined;
      this.#answer(kind, object, [refused(message, cause, kind === 'removal' ? 'deleted' : 'accepted')]);
    }
  }

  #hasDefinition({ apiVersion, kind }: KubernetesObject): boolean {
    return this.#questions.objects.some(({ kind: of, spec }) => {
      if (of !== 'CustomResourceDefinition' || !isJsonMap(spec) || !isJsonMap(spec['names'])) return false;
      return spec['group'] === groupOf(apiVersion) && spec['names']['kind'] === kind;
    });
  }

  #isNamespaceToCome({ metadata: { namespace } }: KubernetesObject): boolean {
    return this.#questions.objects.some(
      ({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace,
    );
  }

  #answer(kind: SubjectKind, object: KubernetesObject, differences: readonly Difference[]): void {
    const disagreements = differences.length === 0 ? [] : [{ differences }];
    this.#subjects.set(keyOf(kind, object), { kind, subject: nameOf(object), answers: 1, disagreements });
  }

  #leaveOut(what: string, why: string, remedy?: string): void {
    this.#unasked.set(what, { what, why, ...(remedy !== undefined && { remedy }) });
  }

  #leaveOutForbidden(object: KubernetesObject, resource: Resource, ...verbs: readonly string[]): void {
    const rule = { ...ruleOf(resource), verbs };
    const why = `the user may not ${verbs.join(' and ')} ${resource.plural}`;
    this.#leaveOut(nameOf(object), why, grant(rule, object.metadata.namespace));
  }
}

function refused(message: string, cause?: string, predicted = 'accepted'): Difference {
  return { part: 'request', predicted, answered: message, ...(cause !== undefined && { cause }) };
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}

function keyOf(kind: SubjectKind, object: KubernetesObject): string {
  return `${kind} ${groupOf(object.apiVersion)} ${nameOf(object)}`;
}

/** An answer without metadata is compared as an object without any. */
function objectOf(answer: JsonMap): KubernetesObject {
  const { apiVersion, kind, metadata } = answer;
  return {
    ...answer,
    apiVersion: typeof apiVersion === 'string' ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    metadata: isJsonMap(metadata) ? metadata : {},
  };
}
