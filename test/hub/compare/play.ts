import { rmSync } from 'node:fs';
import path from 'node:path';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { Hub } from '../client/hub.ts';
import type { Difference } from '../differential/differences.ts';
import { families, type Family } from '../differential/families.ts';
import { judge } from '../differential/verdict.ts';
import { caseNames, readScenario, writeScenario } from '../record/case-folder.ts';
import type { Scenario } from '../record/scenario.ts';

const recorded = path.join(import.meta.dirname, '../../conformance');
const found = path.join(import.meta.dirname, '../found');

/** A case to play, recorded or made of a seed. */
export interface Case {
  readonly name: string;
  readonly scenario: () => Scenario;
  readonly isRecorded: boolean;
}

/** A case that the hub does not answer as predicted. */
export interface Row {
  readonly name: string;
  /** `chance`: the hub answers differently each time. `failed`: the case could not be played. */
  readonly kind: 'differs' | 'chance' | 'failed';
  readonly differences: readonly Difference[];
  readonly error?: string;
}

/** What came of all cases. */
export interface Comparison {
  readonly played: number;
  readonly agreed: number;
  readonly rows: readonly Row[];
  /** The folder that has the scenarios of random cases that differ. */
  readonly found: string;
}

/** Returns all recorded cases of families, and as many random ones as asked, evenly of each family. */
export function casesOf(
  chosen: readonly Family[],
  { random, seed }: { readonly random: number; readonly seed: number },
): readonly Case[] {
  const written = chosen.flatMap((family) =>
    caseNames(path.join(recorded, family)).map((name) => ({
      name: `${family}/${name}`,
      scenario: () => readScenario(path.join(recorded, family, name)),
      isRecorded: true,
    })),
  );
  const made = Array.from({ length: random }, (_, index) => {
    const family = chosen[index % chosen.length] ?? 'placement';
    const number = seed + Math.floor(index / chosen.length);
    return { name: `${family} seed ${number}`, scenario: () => families[family](number), isRecorded: false };
  });
  return [...written, ...made];
}

/** How cases are played. */
interface PlayOptions {
  readonly version: HubVersion;
  /** How many are on the hub at a time. */
  readonly parallel: number;
  /** Called for each row as soon as there is one. */
  readonly onRow: (row: Row) => void;
  /** Called after each case, with how many there were. */
  readonly onProgress: (done: number) => void;
}

/** Plays cases on a hub, and compares its answers with the predictions for a release. */
export async function play(
  hub: Hub,
  cases: readonly Case[],
  { version, parallel, onRow, onProgress }: PlayOptions,
): Promise<Comparison> {
  const rows: Row[] = [];
  let done = 0;
  const queue = cases.values();
  const playNext = async (): Promise<void> => {
    for (const each of queue) {
      const row = await playOne(hub, each, version);
      if (row !== undefined) {
        rows.push(row);
        onRow(row);
      }
      onProgress(++done);
    }
  };
  rmSync(found, { recursive: true, force: true });
  await Promise.all(Array.from({ length: parallel }, playNext));
  const order = new Map(cases.map(({ name }, index) => [name, index]));
  rows.sort((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0));
  return { played: cases.length, agreed: cases.length - rows.length, rows, found };
}

async function playOne(
  hub: Hub,
  { name, scenario, isRecorded }: Case,
  version: HubVersion,
): Promise<Row | undefined> {
  const made = scenario();
  try {
    const verdict = await judge(hub, made, version);
    if (verdict.result === 'agrees') return undefined;
    if (!isRecorded && verdict.result === 'differs')
      writeScenario(path.join(found, name.replaceAll(' ', '-')), made);
    return { name, kind: verdict.result, differences: verdict.differences };
  } catch (error) {
    return {
      name,
      kind: 'failed',
      differences: [],
      error: error instanceof Error ? error.message : String(error),
    };
  }
}
