import { clusterOnHub } from '../../plan/hub-plans.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { compareUtf8 } from '../../../base/json/go-json.ts';
import { effects, type ChangeGroup, type ConfigChange } from '../../compare/change.ts';
import type { LabelValues } from '../../compare/cluster-labels.ts';
import type { Plan } from '../../plan/plan.ts';
import type { AddOnPlan } from '../../compare/add-on-plan.ts';
import type { StrategyChange } from '../../compare/placements/strategy-changes.ts';
import { foldedValues, type FoldedValue } from '../folded-values.ts';
import { linksOf, type LinkOf } from '../location-links.ts';
import type { PageAddOn, PageGroup, PageLabel, PageValue, PlanPage, Runs } from './plan-page-data.ts';
import {
  addOnWords,
  configUseWords,
  effectCounts,
  groupNotes,
  effectNouns,
  effectSymbols,
  effectWords,
  isFaster,
  labelValueWords,
  pathWords,
  permissionWords,
  type LocatedSide,
  locationSuffix,
  locationText,
  registrationWords,
  strategyWords,
  usedConfigWords,
} from '../plan-words.ts';
import { endWords, rolloutWords } from '../planned-rollout-words.ts';
import { rangeWords } from '../time-words.ts';
import { runsOf } from './runs.ts';
import { valueDiff } from '../value-diff.ts';

/** The maximum number of characters of values in a page. Further values are counted. */
const roomForValues = 2_000_000;

/** The maximum number of clusters that are named. */
const shownClusters = 10;

/** Returns the data that a plan's page provides to its script. */
export function planPage({ addOns, summary, labels }: Plan, link: LinkOf = linksOf({})): PlanPage {
  const page = new PageBuilder(addOns, link);
  return {
    effects: effects
      .filter((effect) => summary.effects[effect] > 0)
      .map((effect) => ({
        effect,
        symbol: effectSymbols[effect],
        noun: effectNouns[effect],
        words: effectWords[effect],
        count: summary.effects[effect],
      })),
    addOns: addOns.map((addOn) => page.addOn(addOn)),
    clusters: page.clusters,
    labels: [...page.hubs(addOns), ...labels.map((label) => page.label(label))],
    texts: page.texts,
    values: page.values,
    links: Object.fromEntries(page.links),
  };
}

class PageBuilder {
  readonly clusters: readonly string[];
  readonly texts: string[] = [];
  readonly values: PageValue[] = [];
  readonly links = new Map<string, string>();
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #textNumbers = new Map<string, number>();
  readonly #valueNumbers = new Map<string, number>();
  readonly #link: LinkOf;
  #room = roomForValues;

  constructor(addOns: readonly AddOnPlan[], link: LinkOf) {
    this.#link = link;
    const names = new Set<string>();
    for (const { hub, groups, rollout } of addOns) {
      for (const { clusters } of [...groups, ...rollout.waves])
        for (const cluster of clusters) names.add(clusterOnHub(hub, cluster));
    }
    this.clusters = [...names].sort(compareUtf8);
    this.#numbers = new Map(this.clusters.map((cluster, number) => [cluster, number]));
  }

  addOn(addOn: AddOnPlan): PageAddOn {
    const { stalled, groups, permissions, registrations, rollout, strategies } = addOn;
    const { waves } = rollout;
    return {
      name: addOnWords(addOn),
      counts: effectCounts(addOn.effects),
      alarms: [
        ...(stalled === undefined ? [] : [`the hub configures nothing: ${stalled}`]),
        ...endWords(rollout).map(({ verb, words }) => `${verb}: ${words}`),
        ...strategies.filter(isFaster).map(strategyNote),
      ],
      notes: [
        ...permissions.map(
          (change) => `hub permission ${change.change}: ${permissionWords(change)}${locationSuffix(change)}`,
        ),
        ...registrations.map(registrationWords),
        ...strategies.filter((change) => !isFaster(change)).map(strategyNote),
      ],
      groups: groups.map((group) => this.#group(group, addOn.hub)),
      waves: waves.map(({ after, earliest, clusters, refusing }) => ({
        after,
        earliest,
        when: after === 0 ? 'immediately' : `after ${rangeWords({ after, earliest })}`,
        clusters: this.#runs(clusters, addOn.hub),
        ...(refusing !== undefined && { refusing: this.#runs(refusing, addOn.hub) }),
      })),
      rollout: waves.length === 0 ? '' : rolloutWords(rollout),
    };
  }

  /** Returns the hubs as the values of a label, by which the page filters clusters; nothing if the plan is about one hub. */
  hubs(addOns: readonly AddOnPlan[]): PageLabel[] {
    const clustersByHub = new Map<string, Set<string>>();
    for (const { hub, groups, rollout } of addOns) {
      if (hub === undefined) continue;
      const names = getOrInsertComputed(clustersByHub, hub, () => new Set<string>());
      for (const { clusters } of [...groups, ...rollout.waves])
        for (const cluster of clusters) names.add(clusterOnHub(hub, cluster));
    }
    if (clustersByHub.size === 0) return [];
    const values = Array.from(clustersByHub, ([value, clusters]) => ({ value, clusters: [...clusters] }));
    return [this.label({ by: 'hub', values: values.sort((a, b) => compareUtf8(a.value, b.value)) })];
  }

  /** Returns a label with the number of its value for each cluster. */
  label({ by, values }: LabelValues): PageLabel {
    const of = this.clusters.map(() => 0);
    for (const [index, { clusters }] of values.entries()) {
      for (const cluster of clusters) {
        const number = this.#numbers.get(cluster);
        if (number !== undefined) of[number] = index;
      }
    }
    return { by, values: values.map((value) => labelValueWords({ by, ...value })), of };
  }

  #group(group: ChangeGroup, hub: string | undefined): PageGroup {
    const { effect, clusters, causes, caveat, configs, values, moreValues } = group;
    const folded = foldedValues(values);
    const shown = folded.map((value) => this.#value(value)).filter((number) => number !== undefined);
    const isInstalled = effect === 'installed';
    const held = groupNotes(group, shownClusters);
    return {
      effect,
      clusters: this.#runs(clusters, hub),
      causes: causes.map((cause) => {
        this.#addLink(cause);
        return this.#text(`${cause.text}${locationSuffix(cause)}`);
      }),
      ...(caveat !== undefined && { caveat }),
      ...(held.length > 0 && { held }),
      configs: configs.map((change) => {
        for (const use of change.after) this.#addLink({ ...use, side: 'head' });
        return this.#text(isInstalled ? usedConfigWords(change) : configWords(change));
      }),
      values: shown,
      moreValues: moreValues + folded.length - shown.length,
    };
  }

  #addLink({ location, side }: LocatedSide): void {
    const url = this.#link(location, side);
    const words = locationText(location);
    if (url !== undefined && words !== undefined) this.links.set(words, url);
  }

  #text(text: string): number {
    return getOrInsertComputed(this.#textNumbers, text, () => this.texts.push(text) - 1);
  }

  /** Returns undefined if there is no room left. */
  #value(value: FoldedValue): number | undefined {
    if (this.#room === 0) return undefined;
    const { object, location } = value;
    const locationWords = locationText(location);
    this.#addLink(value);
    const shown = {
      object,
      path: pathWords(value),
      ...(locationWords !== undefined && { location: locationWords }),
      ...(value.also.length > 0 && { also: value.also.join(', ') }),
      lines: valueDiff(value),
    };
    const text = JSON.stringify(shown);
    const cached = this.#valueNumbers.get(text);
    if (cached !== undefined) return cached;
    this.#room = Math.max(0, this.#room - text.length);
    if (this.#room === 0) return undefined;
    const number = this.values.push(shown) - 1;
    this.#valueNumbers.set(text, number);
    return number;
  }

  #runs(clusters: readonly string[], hub: string | undefined): Runs {
    return runsOf(clusters.flatMap((cluster) => this.#numbers.get(clusterOnHub(hub, cluster)) ?? []));
  }
}

function strategyNote(change: StrategyChange): string {
  return `rollout strategy: ${strategyWords(change)}${locationSuffix(change)}`;
}

/**
 * Returns `addondeploymentconfigs: default/prod, from placement default/prod (hub.yaml:20), before default/base, from default
 * (…)`.
 */
function configWords({ resource, before, after }: ConfigChange): string {
  const kind = resource.split('.', 1)[0] ?? resource;
  const [was, is] = [before, after].map((uses) => uses.map(configUseWords).join(', ') || 'none');
  return was === is ? `${kind}: ${is}, with other content` : `${kind}: ${is}; before ${was}`;
}
