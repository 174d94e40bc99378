import path from 'node:path';
import type { Hub } from '../client/hub.ts';
import { writeScenario } from '../record/case-folder.ts';
import type { Scenario } from '../record/scenario.ts';
import type { Difference } from './differences.ts';
import { families, type Family } from './families.ts';
import { shrink } from './shrink.ts';
import { judge } from './verdict.ts';

/** A scenario about which the compiler and the hub disagree. */
export interface Disagreement {
  readonly family: Family;
  readonly seed: number;
  readonly differences: readonly Difference[];
  /** Where the scenario is saved, as small as it could be made. */
  readonly folder: string;
}

/** A scenario about which the hub itself was of two minds, with where its first answer differed. */
export type Chance = Pick<Disagreement, 'seed' | 'differences'>;

/** What came of the seeds of a family. */
export interface FamilyResult {
  readonly agreements: number;
  readonly chance: readonly Chance[];
  readonly disagreements: readonly Disagreement[];
}

export interface RunOptions {
  readonly seeds: readonly number[];
  /** How many scenarios are on the hub at a time. */
  readonly parallel: number;
  /** How often a disagreement may be tried again to make it smaller. */
  readonly shrinkAttempts: number;
  /** Folder for the cases of disagreements. */
  readonly found: string;
  readonly onDisagreement?: (disagreement: Disagreement) => void;
  readonly onChance?: (chance: Chance) => void;
  /** Called after each scenario, with how many there were and how many agreed. */
  readonly onProgress?: (done: number, agreements: number) => void;
}

/** Holds the compiler against the hub with the scenarios that a family makes of seeds. */
export async function runFamily(hub: Hub, family: Family, options: RunOptions): Promise<FamilyResult> {
  const waiting = [...options.seeds];
  const chance: Chance[] = [];
  const disagreements: Disagreement[] = [];
  let agreements = 0;
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const scenario = families[family](seed);
      const verdict = await judge(hub, scenario);
      if (verdict.result === 'agrees') agreements++;
      else if (verdict.result === 'chance') {
        chance.push({ seed, differences: verdict.differences });
        options.onChance?.({ seed, differences: verdict.differences });
      } else {
        const folder = path.join(options.found, `${family}-${seed}`);
        writeScenario(folder, await smallest(hub, scenario, options.shrinkAttempts));
        const disagreement = { family, seed, differences: verdict.differences, folder };
        disagreements.push(disagreement);
        options.onDisagreement?.(disagreement);
      }
      options.onProgress?.(agreements + chance.length + disagreements.length, agreements);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { agreements, chance, disagreements };
}

async function smallest(hub: Hub, scenario: Scenario, attempts: number): Promise<Scenario> {
  return shrink(scenario, async (candidate) => (await judge(hub, candidate)).result === 'differs', attempts);
}
