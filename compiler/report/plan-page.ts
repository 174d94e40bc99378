import { compareUtf8 } from '../../encoding/go-json.ts';
import {
  effects,
  type ChangeGroup,
  type ConfigChange,
  type ConfigUse,
  type ValueChange,
} from '../plan/change.ts';
import type { Plan } from '../plan/plan.ts';
import type { AddOnPlan } from '../plan/add-on-plan.ts';
import type { PageAddOn, PageGroup, PageValue, PlanPage, Runs } from './plan-page-data.ts';
import {
  addOnWords,
  counted,
  durationWords,
  effectCounts,
  effectNouns,
  effectSymbols,
  effectWords,
  permissionWords,
  placeSuffix,
  placeWords,
  registrationWords,
} from './plan-words.ts';
import { valueDiff } from './value-diff.ts';

/** So many characters of values a page holds; what is beyond is counted. */
const roomForValues = 2_000_000;

/** What the page of a plan carries for its script. */
export function planPage({ addOns, summary }: Plan): PlanPage {
  const page = new PageBuilder(addOns);
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
    texts: page.texts,
    values: page.values,
  };
}

class PageBuilder {
  readonly clusters: readonly string[];
  readonly texts: string[] = [];
  readonly values: PageValue[] = [];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #textNumbers = new Map<string, number>();
  readonly #valueNumbers = new Map<string, number>();
  #room = roomForValues;

  constructor(addOns: readonly AddOnPlan[]) {
    const names = new Set<string>();
    for (const { groups, rollout } of addOns) {
      for (const { clusters } of [...groups, ...rollout.waves])
        for (const cluster of clusters) names.add(cluster);
    }
    this.clusters = [...names].sort(compareUtf8);
    this.#numbers = new Map(this.clusters.map((cluster, number) => [cluster, number]));
  }

  addOn(addOn: AddOnPlan): PageAddOn {
    const { stalled, groups, permissions, registrations, rollout } = addOn;
    const { waves, stops, finishedAfter } = rollout;
    const finish = finishedAfter === 0 ? '' : `, over after ${durationWords(finishedAfter)} at the earliest`;
    return {
      name: addOnWords(addOn),
      counts: effectCounts(addOn.effects),
      alarms: [
        ...(stalled === undefined ? [] : [`the hub configures nothing: ${stalled}`]),
        ...stops.map(({ message, left }) => `stops: ${message}; ${counted(left.length, 'cluster')} left`),
      ],
      notes: [
        ...permissions.map(
          (change) => `hub permission ${change.change}: ${permissionWords(change)}${placeSuffix(change)}`,
        ),
        ...registrations.map(registrationWords),
      ],
      groups: groups.map((group) => this.#group(group)),
      waves: waves.map(({ after, clusters }) => ({
        after,
        when: after === 0 ? 'at once' : `after ${durationWords(after)}`,
        clusters: this.#runs(clusters),
      })),
      rollout: waves.length === 0 ? '' : `${counted(waves.length, 'wave')}${finish}`,
    };
  }

  #group({ effect, clusters, causes, configs, values, moreValues }: ChangeGroup): PageGroup {
    const shown = values.map((value) => this.#value(value)).filter((number) => number !== undefined);
    return {
      effect,
      clusters: this.#runs(clusters),
      causes: causes.map((cause) => this.#text(`${cause.text}${placeSuffix(cause)}`)),
      configs: configs.map((change) => this.#text(configWords(change))),
      values: shown,
      moreValues: moreValues + values.length - shown.length,
    };
  }

  #text(text: string): number {
    const known = this.#textNumbers.get(text) ?? this.texts.push(text) - 1;
    this.#textNumbers.set(text, known);
    return known;
  }

  /** Undefined where there is no more room. */
  #value(value: ValueChange): number | undefined {
    if (this.#room === 0) return undefined;
    const { object, path, location } = value;
    const place = placeWords(location);
    const shown = { object, path, ...(place === undefined ? {} : { place }), lines: valueDiff(value) };
    const text = JSON.stringify(shown);
    const known = this.#valueNumbers.get(text);
    if (known !== undefined) return known;
    this.#room = Math.max(0, this.#room - text.length);
    if (this.#room === 0) return undefined;
    const number = this.values.push(shown) - 1;
    this.#valueNumbers.set(text, number);
    return number;
  }

  #runs(clusters: readonly string[]): Runs {
    const numbers = clusters.flatMap((cluster) => this.#numbers.get(cluster) ?? []).sort((a, b) => a - b);
    const runs: number[] = [];
    for (const [index, number] of numbers.entries()) {
      const last = runs.at(-1);
      if (last === undefined || number !== (numbers[index - 1] ?? 0) + 1) runs.push(number);
      else if (last < 0) runs[runs.length - 1] = last - 1;
      else runs.push(-1);
    }
    return runs;
  }
}

/** `addondeploymentconfigs: default/prod, from placement default/prod (hub.yaml:20), before default/base, from default (…)`. */
function configWords({ resource, before, after }: ConfigChange): string {
  const kind = resource.split('.', 1)[0] ?? resource;
  const [was, is] = [before, after].map((uses) => uses.map(useWords).join(', ') || 'none');
  return was === is ? `${kind}: ${is}, with other content` : `${kind}: ${is}; before ${was}`;
}

function useWords({ name, from, location }: ConfigUse): string {
  const place = placeWords(location);
  return `${name}, from ${from}${place === undefined ? '' : ` (${place})`}`;
}
