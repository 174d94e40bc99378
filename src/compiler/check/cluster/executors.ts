import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import type { RuleInput } from '../rule.ts';
import { deliveriesOf, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { refusalOf, type Refusal } from './executor-refusal.ts';
import { grants, Roles, type ServiceAccount } from './granted-roles.ts';

/** What a cluster does with the manifests of a work that has an executor. */
export interface ExecutorAnswer {
  readonly account: ServiceAccount;
  /** Whether its permissions are known: they are if manifests for the cluster bind it, and contain all its roles. */
  readonly isKnown: boolean;
  /** The roles that are bound to it, but not among the manifests. */
  readonly missing: readonly string[];
  readonly refused: ReadonlyMap<DeliveredManifest, RefusedManifest>;
}

/** Why the agent does not apply a manifest. */
export interface RefusedManifest {
  readonly refusal: Refusal;
  /** Whether other manifests would allow it, which are refused themselves. */
  readonly isCircular: boolean;
}

/** Returns the ServiceAccount with whose permissions a delivery is checked. Undefined if it has no executor. */
export function executorOf({ options }: Pick<Delivery, 'options'>): ServiceAccount | undefined {
  const { executor } = options;
  const subject = isJsonMap(executor) ? executor['subject'] : undefined;
  const account = isJsonMap(subject) ? subject['serviceAccount'] : undefined;
  if (!isJsonMap(account)) return undefined;
  const { namespace, name } = account;
  return typeof namespace === 'string' && typeof name === 'string' ? { namespace, name } : undefined;
}

/** Returns the deliveries that have an executor. */
export const executedDeliveries = oncePerPart((part: readonly Delivery[]) =>
  part.filter((delivery) => executorOf(delivery) !== undefined),
);

const cache = new WeakMap<object, Executors>();

/** Returns the answers about executors in one state of the inputs. */
export function executorsOf(input: RuleInput): Executors {
  return getOrInsertComputed(cache, deliveriesOf(input), () => new Executors(input));
}

/** What the executors of works may write on each cluster, with the roles and bindings that are delivered to it. */
export class Executors {
  readonly #isExternal: (account: ServiceAccount) => boolean;
  /** The deliveries with roles or bindings, by cluster. */
  readonly #granting = new Map<string, Delivery[]>();
  readonly #ids = new Map<Delivery, number>();
  readonly #situations = new Map<string, Situation>();

  constructor(input: RuleInput) {
    const { elsewhere } = input.inventory;
    this.#isExternal = (account) =>
      elsewhere.existence({ group: '', kind: 'ServiceAccount', ...account }) === 'exists';
    const deliveries = deliveriesOf(input);
    if (executedDeliveries(deliveries).length === 0) return;
    for (const delivery of deliveries) {
      if (!delivery.objects.some(grants)) continue;
      this.#ids.set(delivery, this.#ids.size);
      for (const cluster of delivery.clusters) addToGroup(this.#granting, cluster, delivery);
    }
  }

  /** Returns the classes of the clusters of a delivery, each with what its clusters do. Empty if it has no executor. */
  answersTo(
    delivery: Delivery,
  ): readonly { readonly answer: ExecutorAnswer; readonly clusters: readonly string[] }[] {
    if (executorOf(delivery) === undefined) return [];
    const classes = new Map<Situation, string[]>();
    for (const cluster of delivery.clusters) addToGroup(classes, this.#situationOn(cluster), cluster);
    return [...classes].flatMap(([situation, clusters]) => {
      const answer = situation.answerTo(delivery);
      return answer === undefined ? [] : [{ answer, clusters }];
    });
  }

  /** Whether a cluster applies a manifest of a delivery, as far as its executor counts. */
  applies(delivery: Delivery, manifest: DeliveredManifest, cluster: string): boolean {
    if (executorOf(delivery) === undefined) return true;
    return this.#situationOn(cluster).answerTo(delivery)?.refused.has(manifest) !== true;
  }

  #situationOn(cluster: string): Situation {
    const granting = this.#granting.get(cluster) ?? [];
    const key = granting.map((delivery) => this.#ids.get(delivery)).join();
    return getOrInsertComputed(this.#situations, key, () => new Situation(granting, this.#isExternal));
  }
}

/** The roles and bindings of clusters that get the same ones. */
class Situation {
  readonly #isExternal: (account: ServiceAccount) => boolean;
  /** All that are delivered. */
  readonly #all: Roles;
  /** Those that the agent applies. */
  readonly #applied: Roles;
  readonly #answers = new Map<Delivery, ExecutorAnswer | undefined>();

  constructor(deliveries: readonly Delivery[], isExternal: (account: ServiceAccount) => boolean) {
    this.#isExternal = isExternal;
    const granting = deliveries.flatMap((delivery) =>
      delivery.objects
        .filter(grants)
        .filter(({ resource }) => updateStrategyOf(delivery.options, resource) !== 'ReadOnly')
        .map((manifest) => ({ manifest, delivery, account: executorOf(delivery) })),
    );
    this.#all = new Roles(granting.map(({ manifest }) => manifest));
    // executors whose permissions are unknown may write everything
    const isFree = (account: ServiceAccount | undefined): boolean =>
      account === undefined || !this.#permissionsOf(account).isKnown;
    const applied = granting.filter(({ account }) => isFree(account));
    let others = granting.filter(({ account }) => !isFree(account));
    this.#applied = new Roles(applied.map(({ manifest }) => manifest));
    while (others.length > 0) {
      const roles = this.#applied;
      const added = others.filter(
        ({ account, manifest, delivery }) =>
          account !== undefined && this.#refusal(roles, account, manifest, delivery) === undefined,
      );
      if (added.length === 0) return;
      applied.push(...added);
      others = others.filter((other) => !added.includes(other));
      this.#applied = new Roles(applied.map(({ manifest }) => manifest));
    }
  }

  answerTo(delivery: Delivery): ExecutorAnswer | undefined {
    return getOrInsertComputed(this.#answers, delivery, () => this.#answer(delivery));
  }

  #answer(delivery: Delivery): ExecutorAnswer | undefined {
    const account = executorOf(delivery);
    if (account === undefined || this.#isExternal(account)) return undefined;
    const { isKnown, missing } = this.#permissionsOf(account);
    const refused = new Map<DeliveredManifest, RefusedManifest>();
    if (isKnown)
      for (const manifest of delivery.objects) {
        const refusal = this.#refusal(this.#applied, account, manifest, delivery);
        if (refusal === undefined) continue;
        const isCircular = this.#refusal(this.#all, account, manifest, delivery) === undefined;
        refused.set(manifest, { refusal, isCircular });
      }
    return { account, isKnown, missing, refused };
  }

  #permissionsOf(account: ServiceAccount): Pick<ExecutorAnswer, 'isKnown' | 'missing'> {
    const { missing, isBound } = this.#all.everythingOf(account);
    return { isKnown: isBound && missing.length === 0 && !this.#isExternal(account), missing };
  }

  #refusal(
    roles: Roles,
    account: ServiceAccount,
    manifest: DeliveredManifest,
    { options }: Delivery,
  ): Refusal | undefined {
    const refusal = refusalOf(roles, account, manifest, options);
    // a role that no manifest contains may be on the cluster, with any rules
    const isElsewhere =
      refusal?.reason === 'role' && this.#all.rulesOf(refusal.role, refusal.namespace) === undefined;
    return isElsewhere ? undefined : refusal;
  }
}
