import { isJsonMap } from '../../../base/json/json-map.ts';
import { objectWords } from '../../check/templates/rendered-sample.ts';
import type { Location } from '../../model/origin.ts';
import { clusterCount } from '../../model/words.ts';
import type { AddOnChange } from '../add-on-plan.ts';
import { mostSevereFirst } from '../change-groups.ts';
import type { ChangeGroup, ClusterAnswer } from '../change.ts';
import type { Pair } from '../resolution-pair.ts';
import { deliveredBy, isHeld, type DeliveredObject, type DeliveredObjects } from './delivered-objects.ts';
import { refusedChanges } from '../../../ocm/clusters/immutable-fields.ts';
import { OtherDeliveries } from './other-deliveries.ts';

/** A change to whose groups the answers are added. */
type Answerable = Pick<AddOnChange, 'kind' | 'addOn' | 'groups'>;

/**
 * Adds to each group of a change what its clusters answer: changes that their API servers reject, and objects that are deleted with
 * their content. The clusters of a group get the same manifests but for their names, so one of them represents all.
 */
export class ClusterAnswers {
  readonly #pair: Pair;
  readonly #others: OtherDeliveries;

  constructor(pair: Pair) {
    this.#pair = pair;
    this.#others = new OtherDeliveries(pair);
  }

  /** Returns the change with the answers of its clusters. */
  addTo<Changed extends Answerable>(change: Changed): Changed {
    const groups = change.groups.map((group) => this.#answered(group, change));
    return groups.every((group, index) => group === change.groups[index])
      ? change
      : { ...change, groups: mostSevereFirst(groups) };
  }

  #answered(group: ChangeGroup, change: Answerable): ChangeGroup {
    const { effect, clusters, caveat } = group;
    if (effect !== 'changed' && effect !== 'uninstalled') return group;
    // the objects of a cluster that left stay
    const existing = clusters.filter((name) => this.#pair.head.resolution.decisions.clusters.has(name));
    const [cluster] = existing;
    if (cluster === undefined) return group;
    const before = deliveredBy(change, cluster, 'base', this.#pair);
    const after: DeliveredObjects =
      effect === 'uninstalled' ? new Map() : deliveredBy(change, cluster, 'head', this.#pair);
    const answers = [
      ...this.#deletions(before, after, existing, change),
      ...Array.from(refusals(before, after, existing.length), (answer) => {
        const location = this.#locationOf(answer.object, group, cluster, change);
        return location === undefined ? answer : { ...answer, location };
      }),
    ];
    if (answers.length === 0) return group;
    const words = answers.map((answer) => answerWords(answer, clusters.length));
    return { ...group, caveat: [...(caveat === undefined ? [] : [caveat]), ...words].join('; '), answers };
  }

  /** Returns where a template has an object: the first of its values that change, up to the first list on the way to it. */
  #locationOf(
    object: string,
    { values }: ChangeGroup,
    cluster: string,
    { kind, addOn }: Answerable,
  ): Location | undefined {
    if (kind !== undefined) return undefined;
    const { groups } = this.#pair.head.resolution.rendering;
    const group = groups.find((each) => each.addOn === addOn && each.clusters.includes(cluster));
    const rendered = group?.manifests.render(cluster);
    if (group === undefined || rendered === undefined || 'error' in rendered) return undefined;
    const { manifest } = rendered.objects.find((each) => objectWords(each.object) === object) ?? {};
    if (manifest === undefined) return undefined;
    const [changed = ''] = values.find((value) => value.object === object)?.path.split('[') ?? [];
    const fields = changed === '' ? [] : changed.split('.');
    return group.template.origin.locate(['spec', 'agentSpec', 'workload', 'manifests', manifest, ...fields]);
  }

  *#deletions(
    before: DeliveredObjects,
    after: DeliveredObjects,
    clusters: readonly string[],
    change: Answerable,
  ): Iterable<ClusterAnswer> {
    for (const [key, object] of before) {
      const along = contents[object.kind];
      if (along === undefined || after.has(key) || !isHeld(object)) continue;
      const lost = this.#lostOn(key, object, clusters, change);
      if (lost.length === 0) continue;
      const words = along(object.words);
      yield { kind: 'deleted', object: object.words, words, hint: keepHint, clusters: lost.length };
    }
  }

  /** Returns the clusters whose object is deleted. Those of a class are hosted together, and can share an object. */
  #lostOn(
    key: string,
    { hosted }: DeliveredObject,
    clusters: readonly string[],
    change: Answerable,
  ): readonly string[] {
    if (hosted === undefined) return this.#others.lostOn(key, clusters, change);
    const isGone = !this.#pair.head.resolution.decisions.clusters.has(hosted.cluster);
    if (isGone || this.#others.isDelivered(hosted.key, hosted.cluster)) return [];
    const [, second] = clusters;
    const isShared = second !== undefined && deliveredBy(change, second, 'base', this.#pair).has(key);
    return isShared ? clusters.slice(0, 1) : clusters;
  }
}

const keepHint =
  'to keep it, first orphan it: annotate the manifest of a template with addon.open-cluster-management.io/deletion-orphan, or add an orphaning rule to deleteOption of the work, and remove it in a later change';

/** The kinds whose objects take others along, by `group/Kind`. */
const contents: Readonly<Record<string, (object: string) => string>> = {
  '/Namespace': (object) => `${object} is deleted with everything in it`,
  'apiextensions.k8s.io/CustomResourceDefinition': (object) => `${object} is deleted with all its objects`,
  '/PersistentVolumeClaim': (object) => `${object} is deleted with its data`,
};

function* refusals(
  before: DeliveredObjects,
  after: DeliveredObjects,
  clusters: number,
): Iterable<ClusterAnswer> {
  for (const [key, { kind, words: object, manifest, strategy }] of after) {
    const earlier = before.get(key);
    if (earlier === undefined || earlier.strategy === 'ReadOnly' || earlier.manifest === manifest) continue;
    if (!isJsonMap(manifest)) continue;
    for (const { words, hint } of refusedChanges(kind, earlier.manifest, manifest, strategy))
      yield { kind: 'refused', object, words: `${object}: ${words}`, hint, clusters };
  }
}

/** Returns an answer as reports show it in a group of clusters. */
function answerWords({ kind, words, clusters }: ClusterAnswer, all: number): string {
  const some = clusters === all ? '' : ` on ${clusterCount(clusters)}`;
  return kind === 'refused' ? `refused by the API server: ${words}${some}` : `${words}${some}`;
}
