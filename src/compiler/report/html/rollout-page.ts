import { compareUtf8 } from '../../../base/json/go-json.ts';
import { refusingAmong } from '../../compare/placements/waves.ts';
import { counted } from '../../model/words.ts';
import { clusterOnHub } from '../../plan/hub-plans.ts';
import type { Rollout } from '../../rollout/simulation/simulate-rollout.ts';
import { remainingWords, rolloutWords, type Stage } from '../rollout-words.ts';
import { terminalLine } from '../text/terminal-line.ts';
import { rangeWords } from '../time-words.ts';
import type { PageAddOn, PageEffect, PageEffectName, PageLabel, PlanPage } from './plan-page-data.ts';
import { runsOf } from './runs.ts';

/** The rollout of one add-on on one hub. */
export interface StageRollout {
  /** Undefined if the workspace has one hub. */
  readonly hub: string | undefined;
  readonly addOn: string;
  readonly stage: Stage;
  readonly rollout: Rollout;
}

/** Clusters of a rollout with the same effect. */
interface EffectClusters {
  readonly effect: PageEffectName;
  readonly clusters: readonly string[];
}

/** What a rollout does to clusters, most severe first. */
const rolloutEffects: readonly Omit<PageEffect, 'count'>[] = [
  { effect: 'uninstalled', symbol: '−', noun: 'uninstalled', words: 'UNINSTALLED from' },
  { effect: 'left', symbol: '…', noun: 'not reached', words: 'the rollout stops before it reaches' },
  { effect: 'installed', symbol: '+', noun: 'installed', words: 'installed on' },
  { effect: 'changed', symbol: '~', noun: 'updated', words: 'updated on' },
];

/** Returns the data of the page of rollouts: the wave of each cluster, by add-on and stage. */
export function rolloutPage(rollouts: readonly StageRollout[]): PlanPage {
  const parts = rollouts.map((each) => ({ ...each, parts: effectsOf(each) }));
  const hubOf = new Map(
    parts.flatMap(({ hub, parts }) =>
      parts.flatMap(({ clusters }) => clusters.map((cluster) => [clusterOnHub(hub, cluster), hub] as const)),
    ),
  );
  const clusters = [...hubOf.keys()].sort(compareUtf8);
  const numbers = new Map(clusters.map((cluster, number) => [cluster, number]));
  return {
    effects: rolloutEffects.flatMap((effect) => {
      const count = parts
        .flatMap((each) => each.parts)
        .reduce((sum, part) => sum + (part.effect === effect.effect ? part.clusters.length : 0), 0);
      return count === 0 ? [] : [{ ...effect, count }];
    }),
    clusters: clusters.map(terminalLine),
    labels: hubLabels(clusters.map((cluster) => hubOf.get(cluster))),
    texts: [],
    values: [],
    addOns: parts.map((each) =>
      pageAddOn(each, each.parts, (named) =>
        named.flatMap((cluster) => numbers.get(clusterOnHub(each.hub, cluster)) ?? []),
      ),
    ),
    links: {},
    showsWaves: true,
  };
}

/** Returns `agent: update`, or `agent (hub eu): installation`. */
export function stageTitle({ hub, addOn, stage }: StageRollout): string {
  return `${addOn}${hub === undefined ? '' : ` (hub ${hub})`}: ${stage}`;
}

/** Returns what follows the title: `in 3 waves, finished after 5m to 15m`. */
export function shortRolloutWords({ stage, rollout }: StageRollout): string {
  const never =
    rollout.unready.length === 0 ? '' : `, ${counted(rollout.unready.length, 'cluster')} never ready`;
  return `${rolloutWords(stage, rollout).slice(stage.length + 1)}${never}`;
}

/** Returns the clusters of a rollout, each with one effect. */
function effectsOf({ stage, rollout: { waves, stops, uninstalled } }: StageRollout): EffectClusters[] {
  const reached = new Set(waves.flatMap(({ clusters }) => clusters));
  const left = new Set(stops.flatMap(({ left }) => left).filter((cluster) => !reached.has(cluster)));
  const parts: EffectClusters[] = [
    { effect: 'uninstalled', clusters: uninstalled },
    { effect: 'left', clusters: [...left] },
    { effect: stage === 'installation' ? 'installed' : 'changed', clusters: [...reached] },
  ];
  return parts.filter(({ clusters }) => clusters.length > 0);
}

/** Returns the hubs as the values of a label, by which the page filters clusters; nothing for one hub without a name. */
function hubLabels(hubs: readonly (string | undefined)[]): PageLabel[] {
  const names = [...new Set(hubs.filter((hub) => hub !== undefined))];
  if (names.length === 0) return [];
  return [
    {
      by: 'hub',
      values: names.map((hub) => terminalLine(`hub=${hub}`)),
      of: hubs.map((hub) => names.indexOf(hub ?? '')),
    },
  ];
}

function pageAddOn(
  each: StageRollout,
  parts: readonly EffectClusters[],
  numbersOf: (clusters: readonly string[]) => number[],
): PageAddOn {
  const { stage, rollout } = each;
  const { waves, stops, unready, progressions } = rollout;
  const refusing = new Set(rollout.refusing);
  return {
    name: terminalLine(stageTitle(each)),
    counts: '',
    alarms: [
      ...stops.map(({ message, left }) => `stops: ${message}; ${remainingWords(stage, left.length)}`),
      ...(unready.length === 0 ? [] : [`${counted(unready.length, 'cluster')} never ready`]),
    ].map(terminalLine),
    notes: progressions.map(({ placement, condition }) =>
      terminalLine(`${placement} reports: ${condition.message}`),
    ),
    groups: parts.map(({ effect, clusters }) => ({
      effect,
      clusters: runsOf(numbersOf(clusters)),
      causes: [],
      configs: [],
      values: [],
      moreValues: 0,
    })),
    waves: waves.map(({ after, earliest, clusters }) => {
      const among = refusingAmong(clusters, refusing).refusing;
      return {
        after,
        earliest,
        when: after === 0 ? 'immediately' : `after ${rangeWords({ after, earliest })}`,
        clusters: runsOf(numbersOf(clusters)),
        ...(among !== undefined && { refusing: runsOf(numbersOf(among)) }),
      };
    }),
    rollout: shortRolloutWords(each),
  };
}
