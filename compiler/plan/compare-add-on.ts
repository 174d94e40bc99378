import type { ClusterAddOn, ResolvedAddOn } from '../configure/configuration.ts';
import { goJson } from '../go-json.ts';
import { objectKey } from '../inventory.ts';
import { imageRegistriesAnnotation } from '../render/image-registries.ts';
import type { Resolution } from '../resolve.ts';
import { effects, type Cause, type ChangeGroup, type Effect, type ValueChange } from './change.ts';
import { compareConfigs } from './compare-configs.ts';
import { compareRendering } from './compare-rendering.ts';
import { EffectiveKeys } from './effective-keys.ts';
import { withoutPlaces } from './plan-hash.ts';
import type { Pair } from './resolution-pair.ts';
import type { SelectionCauses } from './selection-causes.ts';

/** So many values are told of one group; the others are counted. */
const toldValues = 40;

type Causes = readonly Cause[];

/** What clusters of one group have in common. */
type Change = Omit<ChangeGroup, 'clusters'>;

/**
 * Compares one add-on cluster by cluster. What is costly, rendering above all, is done once for each different pair of
 * configurations, on the first cluster that has it.
 */
export class AddOnComparison {
  readonly #name: string;
  readonly #pair: Pair;
  readonly #selection: SelectionCauses;
  readonly #before: ResolvedAddOn | undefined;
  readonly #after: ResolvedAddOn | undefined;
  readonly #keys = new EffectiveKeys();
  readonly #content = new Map<string, Omit<Change, 'causes'> & { readonly causes: Causes }>();
  readonly #groups = new Map<string, { change: Change; clusters: string[] }>();
  readonly #causeNumbers = new Map<Causes, number>();
  readonly #strategyCauses = new Map<string, Causes>();
  /** As addon-framework: the manifestConfigs of every work are those of the default template. */
  readonly #sameDefaultTemplate: boolean;
  readonly #lists: { readonly base: ReadonlySet<string>; readonly head: ReadonlySet<string> };

  constructor(name: string, pair: Pair, selection: SelectionCauses) {
    this.#name = name;
    this.#pair = pair;
    this.#selection = selection;
    this.#before = pair.base.resolution.configuration.get(name);
    this.#after = pair.head.resolution.configuration.get(name);
    this.#sameDefaultTemplate = defaultTemplate(this.#before) === defaultTemplate(this.#after);
    this.#lists = {
      base: listedPlacements(name, pair.base.resolution),
      head: listedPlacements(name, pair.head.resolution),
    };
  }

  /** The clusters that change, grouped; gravest first, then by the first cluster. */
  groups(): readonly ChangeGroup[] {
    for (const base of this.#before?.clusters.values() ?? []) {
      const head = this.#after?.clusters.get(base.cluster);
      if (head === undefined) this.#gone(base);
      else this.#kept(base, head);
    }
    for (const head of this.#after?.clusters.values() ?? []) {
      if (this.#before?.clusters.has(head.cluster) !== true) this.#new(head);
    }
    return merged([...this.#groups.values()]);
  }

  #gone(base: ClusterAddOn): void {
    const causes = this.#whyGone(base);
    // As OCM's addonmanagement: with type Manual nothing is created and nothing deleted.
    const stays =
      this.#after !== undefined &&
      this.#lists.base.size > 0 &&
      !isInstalled(this.#name, this.#pair.head.resolution);
    this.#put(stays ? 'moved' : 'uninstalled', base.cluster, causes);
  }

  #new(head: ClusterAddOn): void {
    this.#put('installed', head.cluster, this.#whyNew(head));
  }

  #put(effect: Effect, cluster: string, causes: readonly Causes[]): void {
    this.#add(`${effect} ${this.#numbersOf(causes)}`, cluster, () => ({
      effect,
      causes: distinct(causes.flat()),
      configs: [],
      values: [],
      moreValues: 0,
    }));
  }

  #kept(base: ClusterAddOn, head: ClusterAddOn): void {
    // A hub that cannot configure an add-on leaves it as it is.
    if (this.#before === undefined || this.#after === undefined || this.#after.stalled !== undefined) return;
    const before = this.#keys.of(base, this.#pair.base);
    const after = this.#keys.of(head, this.#pair.head);
    const registries = this.#registries(head.cluster);
    const samePlacements = isSame(base.placements, head.placements);
    const sameContent = before.content === after.content && registries === '' && this.#sameDefaultTemplate;
    if (sameContent && samePlacements && before.source === after.source) return;
    const selection = samePlacements ? [] : this.#whyMoved(base, head);
    const key = `${before.content} ${after.content} ${registries}`;
    const known = this.#content.get(key) ?? this.#compare(base, head, registries !== '');
    this.#content.set(key, known);
    const isMove = known.effect === 'moved';
    if (isMove && samePlacements && before.source === after.source) return;
    const group = isMove
      ? `moved ${base.placements.join()} ${head.placements.join()} ${before.source} ${after.source}`
      : `kept ${key}`;
    this.#add(`${group} ${this.#numbersOf(selection)}`, head.cluster, () => ({
      ...known,
      causes: distinct([
        ...selection.flat(),
        ...known.causes,
        ...(isMove && samePlacements ? this.#newLevel(head) : []),
      ]),
    }));
  }

  #compare(base: ClusterAddOn, head: ClusterAddOn, registriesChanged: boolean): Change {
    const before = this.#rendered(this.#before, this.#pair.base.resolution, base.cluster);
    const after = this.#rendered(this.#after, this.#pair.head.resolution, head.cluster);
    const isRendered = before !== undefined && after !== undefined;
    const compared = compareConfigs(base, head, this.#pair, isRendered);
    const manifests = isRendered ? compareRendering(before, after) : [];
    const causes = registriesChanged
      ? [...compared.causes, this.#registriesCause(head.cluster)]
      : compared.causes;
    const isVisible = isRendered ? manifests.length > 0 : compared.values.length > 0;
    const effect = isVisible ? 'changed' : compared.configs.length > 0 ? 'rerolled' : 'moved';
    const values: readonly ValueChange[] = [...compared.values, ...manifests];
    return {
      effect,
      causes,
      configs: compared.configs,
      values: values.slice(0, toldValues),
      moreValues: Math.max(0, values.length - toldValues),
    };
  }

  #rendered(addOn: ResolvedAddOn | undefined, { rendering }: Resolution, cluster: string) {
    return addOn?.template === true && addOn.managed
      ? rendering.clusterAddOn(addOn.name, cluster)
      : undefined;
  }

  /** Empty where the image registries of a cluster are the same, or nobody reads them. */
  #registries(cluster: string): string {
    if (this.#after?.template !== true) return '';
    return this.#pair.registries.get(cluster) ?? '';
  }

  #registriesCause(cluster: string): Cause {
    const origin = this.#pair.head.resolution.inventory.managedClusters.get(cluster)?.origin;
    return {
      kind: 'cluster changed',
      text: `annotation ${imageRegistriesAnnotation} changed`,
      side: 'head',
      ...(origin && { location: origin.locate(['metadata', 'annotations', imageRegistriesAnnotation]) }),
    };
  }

  #whyGone({ cluster, placements }: ClusterAddOn): readonly Causes[] {
    const { base, head } = this.#pair;
    if (this.#after === undefined) {
      return [
        this.#strategyCause('add-on removed', () =>
          addOnCause('add-on removed', this.#name, base.resolution),
        ),
      ];
    }
    if (placements.length === 0) {
      return [this.#strategyCause('own gone', () => ownCause('its ManagedClusterAddOn is gone'))];
    }
    return placements.map((placement) =>
      this.#lists.head.has(placement)
        ? this.#selection.of(placement, cluster, 'lost')
        : this.#strategyCause(`unlisted ${placement}`, () =>
            listCause(this.#name, placement, false, head.resolution),
          ),
    );
  }

  #whyNew({ cluster, placements }: ClusterAddOn): readonly Causes[] {
    const { head } = this.#pair;
    if (this.#before === undefined) {
      return [
        this.#strategyCause('add-on added', () => addOnCause('add-on added', this.#name, head.resolution)),
      ];
    }
    if (placements.length === 0) {
      return [this.#strategyCause('own new', () => ownCause('its ManagedClusterAddOn is new'))];
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

  #whyMoved(base: ClusterAddOn, head: ClusterAddOn): readonly Causes[] {
    const gone = {
      ...base,
      placements: base.placements.filter((placement) => !head.placements.includes(placement)),
    };
    const added = head.placements.filter((placement) => !base.placements.includes(placement));
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
        text: 'the same configuration comes from another place',
        side: 'head',
        location: winner.origin.locate(winner.path),
      },
    ];
  }

  #strategyCause(key: string, cause: () => Cause): Causes {
    const known = this.#strategyCauses.get(key) ?? [cause()];
    this.#strategyCauses.set(key, known);
    return known;
  }

  #numbersOf(causes: readonly Causes[]): string {
    const numbers = causes.map((each) => {
      const known = this.#causeNumbers.get(each) ?? this.#causeNumbers.size;
      this.#causeNumbers.set(each, known);
      return known;
    });
    return numbers.join();
  }

  #add(key: string, cluster: string, change: () => Change): void {
    const group = this.#groups.get(key);
    if (group) group.clusters.push(cluster);
    else this.#groups.set(key, { change: change(), clusters: [cluster] });
  }
}

function defaultTemplate(addOn: ResolvedAddOn | undefined): string {
  return addOn?.defaultReferences.find(({ resource }) => resource === 'addontemplates')?.specHash ?? '';
}

/** The placements of an install strategy that the hub follows; none where it installs nothing. */
export function listedPlacements(addOn: string, resolution: Resolution): ReadonlySet<string> {
  if (!isInstalled(addOn, resolution)) return new Set();
  const { installStrategy } = resolution.inventory.clusterManagementAddOns.get(addOn)?.object.spec ?? {};
  return new Set(
    (installStrategy?.placements ?? []).map(({ namespace, name }) => objectKey(namespace, name)),
  );
}

function isInstalled(addOn: string, { configuration, inventory }: Resolution): boolean {
  const { installStrategy } = inventory.clusterManagementAddOns.get(addOn)?.object.spec ?? {};
  return configuration.get(addOn)?.managed === true && installStrategy?.type === 'Placements';
}

function addOnCause(kind: 'add-on added' | 'add-on removed', name: string, { inventory }: Resolution): Cause {
  const origin = inventory.clusterManagementAddOns.get(name)?.origin;
  const added = kind === 'add-on added';
  return {
    kind,
    text: added
      ? `ClusterManagementAddOn "${name}" is new`
      : `ClusterManagementAddOn "${name}" does not exist any more`,
    side: added ? 'head' : 'base',
    ...(origin && { location: origin.location }),
  };
}

function listCause(addOn: string, placement: string, added: boolean, { inventory }: Resolution): Cause {
  const origin = inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'install strategy edited',
    text: `the install strategy ${added ? 'now' : 'no longer'} lists Placement "${placement}"`,
    side: 'head',
    ...(origin && { location: origin.locate(['spec', 'installStrategy', 'placements']) }),
  };
}

function orderCause(addOn: string, { inventory }: Resolution): Cause {
  const origin = inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'install strategy edited',
    text: 'the install strategy lists its placements in another order',
    side: 'head',
    ...(origin && { location: origin.locate(['spec', 'installStrategy', 'placements']) }),
  };
}

function ownCause(text: string): Cause {
  return { kind: 'other', text, side: 'head' };
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((placement, index) => placement === after[index]);
}

/** Clusters of which the same is told belong together, whatever it came from. */
function merged(
  groups: readonly { readonly change: Change; readonly clusters: readonly string[] }[],
): ChangeGroup[] {
  const byContent = new Map<string, { change: Change; clusters: string[] }>();
  for (const { change, clusters } of groups) {
    const content = goJson(withoutPlaces(change));
    const known = byContent.get(content) ?? { change, clusters: [] };
    byContent.set(content, known);
    for (const cluster of clusters) known.clusters.push(cluster);
  }
  return [...byContent.values()]
    .map(({ change, clusters }) => ({ ...change, clusters: clusters.sort() }))
    .sort(
      (a, b) =>
        effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
        ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1),
    );
}

/** Causes that two placements share are told once. */
function distinct(causes: Causes): Causes {
  return [...new Map(causes.map((cause) => [cause.text, cause])).values()];
}
