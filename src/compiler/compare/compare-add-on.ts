import { compareText } from '../../base/collections/compare-text.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { groupBy } from '../../base/collections/groups.ts';
import { goJson } from '../../base/json/go-json.ts';
import { AddOnClusters, byFirstCluster } from '../configure/add-on-clusters.ts';
import { jointClasses, type JointClass } from '../configure/joint-classes.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import { imageRegistriesAnnotation } from '../render/decoration/image-registries.ts';
import type { ClusterRendering } from '../render/render-result.ts';
import type { Cause, ChangeGroup, Effect, Side, ValueChange } from './change.ts';
import { ChangeGroups, distinct, mostSevereFirst, wholeChange, type Change } from './change-groups.ts';
import { compareConfigs, installedConfigs } from './compare-configs.ts';
import { compareClusterAddOns, type ClusterAddOnComparison } from './compare-cluster-add-ons.ts';
import { compareRendering } from './works/compare-rendering.ts';
import { compareWorks, workText } from './works/compare-works.ts';
import { EffectiveKeys } from './effective-keys.ts';
import { withoutLocations } from './without-locations.ts';
import { withNamedConfigs } from './named-configs.ts';
import { ParameterDifferences } from './parameter-differences.ts';
import { removedAddOnCaveat } from './causes/removed-add-on-caveat.ts';
import { clusterPlace, RenderDifferences } from './works/render-differences.ts';
import type { Pair, State } from './resolution-pair.ts';
import type { SelectionCauses } from './causes/selection-causes.ts';
import {
  addOnCause,
  isInstalled,
  lifecycleCause,
  listCause,
  listedPlacements,
  orderCause,
  unselectedCause,
} from './causes/strategy-causes.ts';
import { messageJson } from '../../base/json/message-json.ts';

type Causes = readonly Cause[];

const nowhere = new AddOnClusters({ individual: new Map() });

const noWorks: readonly Admitted[] = [];

/**
 * Compares one add-on cluster by cluster. Expensive steps, rendering above all, run once per distinct pair of configurations, on
 * the first cluster that has it.
 */
export class AddOnComparison {
  readonly #name: string;
  readonly #pair: Pair;
  readonly #selection: SelectionCauses;
  readonly #before: ResolvedAddOn | undefined;
  readonly #after: ResolvedAddOn | undefined;
  readonly #keys = new EffectiveKeys();
  readonly #content = new Map<string, Change>();
  /** The cluster on which the values of a change were compared, and the values among them that are rendered. */
  readonly #compared = new Map<
    readonly ValueChange[],
    { readonly cluster: string; readonly rendered: readonly ValueChange[] }
  >();
  readonly #groups = new ChangeGroups();
  readonly #strategyCauses = new Map<string, Causes>();
  /** As addon-framework: the manifestConfigs of every work are those of the default template. */
  readonly #sameDefaultTemplate: boolean;
  /** The clusters that differ by more than their class. */
  readonly #special: ReadonlySet<string>;
  /** Whether both states are on a hub of one release. Another release may render the same configuration differently. */
  readonly #sameRelease: boolean;
  readonly #works: Readonly<Record<Side, ReadonlyMap<string, readonly Admitted[]> | undefined>>;
  readonly #rendering: RenderDifferences;
  readonly #parameters: ParameterDifferences;
  readonly #lists: { readonly base: ReadonlySet<string>; readonly head: ReadonlySet<string> };

  constructor(name: string, pair: Pair, selection: SelectionCauses) {
    this.#name = name;
    this.#pair = pair;
    this.#selection = selection;
    this.#before = pair.base.resolution.configuration.get(name);
    this.#after = pair.head.resolution.configuration.get(name);
    this.#sameDefaultTemplate = defaultTemplate(this.#before) === defaultTemplate(this.#after);
    this.#sameRelease = pair.hub === pair.baseHub;
    this.#special = specialClusters(name, pair);
    this.#works = { base: pair.works.base.addOns.get(name), head: pair.works.head.addOns.get(name) };
    this.#rendering = new RenderDifferences(name, pair);
    this.#parameters = new ParameterDifferences(name, pair);
    this.#lists = {
      base: listedPlacements(name, pair.base.resolution),
      head: listedPlacements(name, pair.head.resolution),
    };
  }

  /** Returns the clusters that change, grouped. Most severe first, then by the first cluster. */
  groups(): readonly ChangeGroup[] {
    if (this.#isUnchanged()) return [];
    const classes = jointClasses(this.#before?.clusters ?? nowhere, this.#after?.clusters ?? nowhere);
    for (const joint of classes.flatMap((each) => this.#comparedAlike(each)).sort(byFirstCluster)) {
      const { before, after, clusters } = joint;
      if (before !== undefined && after !== undefined) this.#compareStates(before, after, clusters);
      else if (before !== undefined) this.#gone(before);
    }
    // In the order of the clusters: a cause has the location of the first one.
    const added = classes.flatMap(({ before, after, clusters }) =>
      before === undefined && after !== undefined ? clusters.map((cluster) => ({ ...after, cluster })) : [],
    );
    for (const clusterAddOn of added.sort((a, b) => compareText(a.cluster, b.cluster)))
      this.#new(clusterAddOn);
    return mostSevereFirst(this.#groups.all().map((group) => this.#withVaryingValues(group)));
  }

  /** Whether both states have one configuration of the add-on, and no cluster differs by more. */
  #isUnchanged(): boolean {
    const addOn = this.#after;
    if (addOn === undefined || addOn !== this.#before) return false;
    if (!addOn.managed || !this.#sameRelease || this.#special.size > 0) return false;
    if (this.#rendering.hasClasses || !this.#rendering.isSameOn('')) return false;
    const { base, head } = this.#pair;
    if (base.configs === head.configs) return true;
    // Objects of other kinds than those that a manager hashes can differ.
    for (const { references } of addOn.clusters.byConfiguration().keys())
      for (const reference of references)
        if (reference.specHash === '' && base.configs.hash(reference) !== head.configs.hash(reference))
          return false;
    return true;
  }

  /**
   * Splits a class where its clusters differ by more than the class: the ones that lose the add-on or follow other placements, each
   * for reasons of its selection, and the ones with different annotations or works.
   */
  #comparedAlike({ before, after, clusters }: JointClass): readonly JointClass[] {
    if (before === undefined) return [];
    const on = (cluster: string): JointClass => ({
      before: { ...before, cluster },
      ...(after && { after: { ...after, cluster } }),
      clusters: [cluster],
    });
    if (clusters.length === 1) return [{ before, ...(after && { after }), clusters }];
    if (after === undefined || !isSame(before.placements, after.placements)) return clusters.map(on);
    const special = this.#special.size === 0 ? [] : clusters.filter((cluster) => this.#special.has(cluster));
    const hasLayers = this.#parameters.canDiffer(before, after);
    if (special.length === 0 && !this.#rendering.hasClasses && !hasLayers)
      return [{ before, after, clusters }];
    const others = clusters.filter((cluster) => !this.#special.has(cluster));
    const alike = groupBy(
      others,
      (cluster) => `${this.#rendering.keyOf(cluster)} ${hasLayers ? this.#parameters.keyOf(cluster) : ''}`,
    );
    return [
      ...special.map(on),
      ...Array.from(alike.values(), (members) => ({ ...on(members[0] ?? ''), clusters: members })),
    ];
  }

  #gone(base: ClusterAddOn): void {
    const causes = this.#whyGone(base);
    // As OCM's addonmanagement: with type Manual the hub creates nothing and deletes nothing.
    const stays =
      this.#after !== undefined &&
      this.#lists.base.size > 0 &&
      !isInstalled(this.#name, this.#pair.head.resolution);
    const effect: Effect = stays ? 'moved' : 'uninstalled';
    const caveat = removedAddOnCaveat(this.#name, base.cluster, this.#pair);
    this.#groups.add(`${effect} ${caveat}`, causes, base.cluster, () => ({
      ...wholeChange(effect, causes.flat()),
      ...(caveat !== '' && { caveat }),
    }));
  }

  #new(clusterAddOn: ClusterAddOn): void {
    if (this.#after === undefined) return;
    const causes = this.#whyNew(clusterAddOn);
    const head = withNamedConfigs(clusterAddOn, this.#after, this.#pair.head.resolution);
    const { content, source } = this.#keys.of(head, this.#pair.head);
    this.#groups.add(`installed ${content} ${source}`, causes, head.cluster, () => {
      const change = wholeChange('installed', causes.flat());
      // An add-on that the hub cannot configure is installed without a configuration.
      if (this.#after?.stalled !== undefined) return change;
      const { configs, values } = installedConfigs(head, this.#pair.head);
      return { ...change, configs, values };
    });
  }

  /** Compares clusters that are alike in both states, on the first of them. */
  #compareStates(earlier: ClusterAddOn, now: ClusterAddOn, clusters: readonly string[]): void {
    if (this.#before === undefined || this.#after === undefined) return;
    const base = withNamedConfigs(earlier, this.#before, this.#pair.base.resolution);
    const head = withNamedConfigs(now, this.#after, this.#pair.head.resolution);
    const before = this.#keys.of(base, this.#pair.base);
    const after = this.#keys.of(head, this.#pair.head);
    const others = this.#others(base, head);
    // A hub that cannot configure an add-on leaves its configuration as it is.
    const isStalled = this.#after.stalled !== undefined;
    const registries = this.#registries(head.cluster);
    const samePlacements = isStalled || isSame(base.placements, head.placements);
    const sameSource = isStalled || before.source === after.source;
    const sameContent =
      isStalled ||
      (before.content === after.content &&
        registries === '' &&
        this.#rendering.isSameOn(head.cluster) &&
        this.#sameDefaultTemplate &&
        this.#sameRelease);
    if (sameContent && samePlacements && sameSource && others.key === '') return;
    const selection = samePlacements ? [] : this.#whyMoved(base, head);
    const configsKey = sameContent
      ? ''
      : `${before.content} ${after.content} ${registries} ${this.#rendering.keyOf(head.cluster)} ${this.#parameters.keyOf(head.cluster)}`;
    const key = `${configsKey} ${others.key}`;
    const changes = getOrInsertComputed(this.#content, key, () =>
      this.#compare(base, head, { sameContent, registries, others }),
    );
    const isMove = changes.effect === 'moved';
    if (isMove && samePlacements && sameSource) return;
    const caveat = [
      removedAddOnCaveat(this.#name, head.cluster, this.#pair),
      isMove ? '' : this.#rendering.caveatOn(head.cluster),
    ]
      .filter((text) => text !== '')
      .join('; ');
    const group = isMove
      ? `moved ${base.placements.join()} ${head.placements.join()} ${before.source} ${after.source}`
      : `kept ${key}`;
    this.#groups.addAll(`${group} ${caveat}`, selection, clusters, () => ({
      ...changes,
      ...(caveat !== '' && { caveat }),
      causes: distinct([
        ...selection.flat(),
        ...changes.causes,
        ...(isMove && samePlacements ? this.#newLevel(head) : []),
      ]),
    }));
  }

  /** Compares everything except the configuration. */
  #others(base: ClusterAddOn, head: ClusterAddOn): Others {
    const earlier = this.#works.base?.get(base.cluster) ?? noWorks;
    const later = this.#works.head?.get(head.cluster) ?? noWorks;
    if (earlier === later && isInstalledAlike(base, head) && !this.#pair.recopied.has(head.cluster))
      return noOthers;
    const comparison = compareClusterAddOns(base, head, this.#pair, this.#name);
    const [before, after] = [workText(earlier), workText(later)];
    const parts = [...comparison.causes, ...comparison.values].map((part) =>
      messageJson(withoutLocations(part)),
    );
    const key = [...parts, ...(before === after ? [] : [before, after])].join('\n');
    return { comparison, works: { before: earlier, after: later }, key };
  }

  #compare(
    base: ClusterAddOn,
    head: ClusterAddOn,
    { sameContent, registries, others }: { sameContent: boolean; registries: string; others: Others },
  ): Change {
    const before = sameContent ? undefined : this.#rendered(this.#pair.base, base.cluster);
    const after = sameContent ? undefined : this.#rendered(this.#pair.head, head.cluster);
    const isRendered = before !== undefined && after !== undefined;
    const compared = sameContent
      ? { configs: [], causes: [], values: [] }
      : compareConfigs(base, head, this.#pair, isRendered, this.#parameters);
    const manifests = isRendered ? compareRendering(before, after) : [];
    const works = compareWorks(others.works.before, others.works.after);
    const visible = [
      ...(isRendered ? manifests : compared.values),
      ...others.comparison.values,
      ...works.values,
    ];
    const isRerolled = compared.configs.length > 0 || works.causes.length > 0;
    const values: readonly ValueChange[] = [
      ...others.comparison.values,
      ...compared.values,
      ...manifests,
      ...works.values,
    ];
    if (isRendered) this.#compared.set(values, { cluster: head.cluster, rendered: manifests });
    return {
      effect: visible.length > 0 ? 'changed' : isRerolled ? 'rerolled' : 'moved',
      causes: [
        ...others.comparison.causes,
        ...compared.causes,
        ...works.causes,
        ...(registries === '' ? [] : [this.#registriesCause(head.cluster)]),
        ...(manifests.length === 0 ? [] : this.#rendering.causesOn(head.cluster)),
        ...(this.#isOfRelease(manifests, compared.causes) ? [releaseCause(this.#pair)] : []),
      ],
      configs: compared.configs,
      values,
      moreValues: 0,
    };
  }

  /** Whether manifests differ because the hub renders the same configuration differently. */
  #isOfRelease(manifests: readonly ValueChange[], edits: Causes): boolean {
    return !this.#sameRelease && manifests.length > 0 && edits.length === 0;
  }

  /**
   * Marks the rendered values that differ between the clusters of a group, because the renderer inserts cluster names into them.
   * Rendering for one more cluster is enough to detect that: everything else that a value depends on is the same in a group.
   */
  #withVaryingValues(group: ChangeGroup): ChangeGroup {
    const { clusters, values, effect } = group;
    const compared = this.#compared.get(values);
    const other = clusters.findLast((cluster) => cluster !== compared?.cluster);
    if (compared === undefined || other === undefined) return group;
    const before = this.#rendered(this.#pair.base, other);
    const after = this.#rendered(this.#pair.head, other);
    if (before === undefined || after === undefined) return group;
    const onOther = compareRendering(before, after);
    // The comparison was made for another group with the same configurations.
    const isFromElsewhere = !clusters.includes(compared.cluster);
    // The compared cluster may be the only one on which nothing visible is different.
    const isShownByOther = isFromElsewhere || compared.rendered.length === 0;
    const [shown, elsewhere] = isShownByOther ? [onOther, compared.rendered] : [compared.rendered, onOther];
    const same = new Set(elsewhere.map(valueKey));
    const cluster = isShownByOther ? other : compared.cluster;
    const marked = shown.map((value) =>
      clusters.length === 1 || same.has(valueKey(value)) ? value : { ...value, cluster },
    );
    const others = values.filter((value) => !compared.rendered.includes(value));
    return {
      ...group,
      effect: effect === 'rerolled' && marked.length > 0 ? 'changed' : effect,
      values: [...others, ...marked],
    };
  }

  #rendered({ resolution: { rendering } }: State, cluster: string): ClusterRendering | undefined {
    return rendering.predicted(this.#name, cluster);
  }

  /** Returns an empty text if the image registries of a cluster are the same, or if nothing reads them. */
  #registries(cluster: string): string {
    if (this.#after?.template !== true && !this.#rendering.hasClasses) return '';
    return this.#pair.registries.get(cluster) ?? '';
  }

  #registriesCause(cluster: string): Cause {
    return {
      kind: 'cluster changed',
      text: `annotation ${imageRegistriesAnnotation} changed`,
      ...clusterPlace(cluster, this.#pair.head, ['metadata', 'annotations', imageRegistriesAnnotation]),
    };
  }

  #whyGone({ cluster, placements, managedClusterAddOn }: ClusterAddOn): readonly Causes[] {
    const { base, head } = this.#pair;
    if (this.#after === undefined) {
      return [
        this.#strategyCause('add-on removed', () =>
          addOnCause('add-on removed', this.#name, base.resolution),
        ),
      ];
    }
    if (this.#isLifecycleChanged()) return [this.#lifecycleCause()];
    if (placements.length === 0) {
      if (head.resolution.inventory.managedClusterAddOns.has(objectKey(cluster, this.#name)))
        return [this.#strategyCause('unselected', () => unselectedCause(this.#name, head.resolution))];
      return [
        this.#strategyCause('own gone', () => clusterAddOnCause('is gone', 'base', managedClusterAddOn)),
      ];
    }
    return placements.map((placement) =>
      this.#lists.head.has(placement)
        ? this.#selection.of(placement, cluster, 'lost')
        : this.#strategyCause(`unlisted ${placement}`, () =>
            listCause(this.#name, placement, false, head.resolution),
          ),
    );
  }

  #whyNew({ cluster, placements, managedClusterAddOn }: ClusterAddOn): readonly Causes[] {
    const { head } = this.#pair;
    if (this.#before === undefined) {
      return [
        this.#strategyCause('add-on added', () => addOnCause('add-on added', this.#name, head.resolution)),
      ];
    }
    if (this.#isLifecycleChanged()) return [this.#lifecycleCause()];
    if (placements.length === 0) {
      return [this.#strategyCause('own new', () => clusterAddOnCause('is new', 'head', managedClusterAddOn))];
    }
    return placements.map((placement) => this.#whySelected(placement, cluster));
  }

  #whySelected(placement: string, cluster: string): Causes {
    return this.#lists.base.has(placement)
      ? this.#selection.of(placement, cluster, 'gained')
      : this.#strategyCause(`listed ${placement}`, () =>
          listCause(this.#name, placement, true, this.#pair.head.resolution),
        );
  }

  #isLifecycleChanged(): boolean {
    return (
      this.#before !== undefined && this.#after !== undefined && this.#before.managed !== this.#after.managed
    );
  }

  #lifecycleCause(): Causes {
    return this.#strategyCause('lifecycle', () => lifecycleCause(this.#name, this.#pair));
  }

  #whyMoved(base: ClusterAddOn, head: ClusterAddOn): readonly Causes[] {
    if (this.#isLifecycleChanged()) return [this.#lifecycleCause()];
    const [earlier, later] = [new Set(base.placements), new Set(head.placements)];
    const gone = { ...base, placements: base.placements.filter((placement) => !later.has(placement)) };
    const added = head.placements.filter((placement) => !earlier.has(placement));
    if (gone.placements.length === 0 && added.length === 0) {
      return [this.#strategyCause('order', () => orderCause(this.#name, this.#pair.head.resolution))];
    }
    return [
      ...(gone.placements.length === 0 ? [] : this.#whyGone(gone)),
      ...added.map((placement) => this.#whySelected(placement, head.cluster)),
    ];
  }

  #newLevel({ effective }: ClusterAddOn): Cause[] {
    const winner = effective.kinds.find(({ winners }) => winners.length > 0)?.winners[0];
    if (winner === undefined) return [];
    return [
      {
        kind: 'install strategy edited',
        text: 'the same configuration has another source',
        side: 'head',
        location: winner.origin.locate(winner.path),
      },
    ];
  }

  #strategyCause(key: string, cause: () => Cause): Causes {
    return getOrInsertComputed(this.#strategyCauses, key, () => [cause()]);
  }
}

/** The relevant differences on a cluster outside the configuration. */
interface Others {
  readonly comparison: ClusterAddOnComparison;
  readonly works: { readonly before: readonly Admitted[]; readonly after: readonly Admitted[] };
  /** Equal for equal differences. Empty if there are none. */
  readonly key: string;
}

const noOthers: Others = {
  comparison: { causes: [], values: [] },
  works: { before: noWorks, after: noWorks },
  key: '',
};

/** Returns the clusters whose annotations differ, or for which works of the add-on were written. */
function specialClusters(name: string, { registries, recopied, works }: Pair): ReadonlySet<string> {
  const written = [works.base, works.head].flatMap(({ addOns }) => [...(addOns.get(name)?.keys() ?? [])]);
  return new Set([...registries.keys(), ...recopied, ...written]);
}

/** Whether only a placement installs an add-on in both states, so that nothing but the cluster can make a difference. */
function isInstalledAlike(base: ClusterAddOn, head: ClusterAddOn): boolean {
  return [base, head].every(
    ({ managedClusterAddOn, placements }) => managedClusterAddOn === undefined && placements.length > 0,
  );
}

function releaseCause({ hub, baseHub }: Pair): Cause {
  return {
    kind: 'hub release',
    text: `the release of the hub changed from OCM ${baseHub.name} to ${hub.name}`,
    side: 'head',
  };
}

function defaultTemplate(addOn: ResolvedAddOn | undefined): string {
  return addOn?.defaultReferences.find(({ resource }) => resource === 'addontemplates')?.specHash ?? '';
}

function valueKey({ object, path, before, after }: ValueChange): string {
  return goJson([object, path, before ?? null, after ?? null, before === undefined, after === undefined]);
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((placement, index) => placement === after[index]);
}

function clusterAddOnCause(how: string, side: Side, object: Admitted<unknown> | undefined): Cause {
  return {
    kind: 'other',
    text: `its ManagedClusterAddOn ${how}`,
    side,
    ...(object && { location: object.origin.location }),
  };
}
