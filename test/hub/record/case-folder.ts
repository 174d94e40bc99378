import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from './recording.ts';
import { parseObjects, printObjects, type Faults, type Scenario } from './scenario.ts';
import type { RolloutRecording } from './waves.ts';

// A case is a folder: input.yaml is what is applied, hub.json what the hub makes of it. Rollouts have update.yaml, which
// is applied after the installation, waves.json instead of hub.json, and faults.json where agents fail during the update.
const files = {
  input: 'input.yaml',
  update: 'update.yaml',
  faults: 'faults.json',
  answer: 'hub.json',
  waves: 'waves.json',
} as const;

/** The names of all cases in a folder. */
export function caseNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(path.join(folder, name, files.input)))
    .sort();
}

/** What a case applies. */
export function readScenario(folder: string): Scenario {
  const [update, faults] = [path.join(folder, files.update), path.join(folder, files.faults)];
  return {
    name: path.basename(folder),
    input: parseObjects(readFileSync(path.join(folder, files.input), 'utf8')),
    ...(existsSync(update) ? { update: parseObjects(readFileSync(update, 'utf8')) } : {}),
    ...(existsSync(faults) ? { faults: JSON.parse(readFileSync(faults, 'utf8')) as Faults } : {}),
  };
}

/** Writes what a case applies. */
export function writeScenario(folder: string, { input, update, faults }: Scenario): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, files.input), printObjects(input));
  if (update !== undefined) writeFileSync(path.join(folder, files.update), printObjects(update));
  if (faults !== undefined)
    writeFileSync(path.join(folder, files.faults), `${JSON.stringify(faults, null, 1)}\n`);
}

export function readAnswer(folder: string): Answer {
  return JSON.parse(readFileSync(path.join(folder, files.answer), 'utf8')) as Answer;
}

export function writeAnswer(folder: string, answer: Answer): void {
  writeFileSync(path.join(folder, files.answer), `${JSON.stringify(answer, null, 1)}\n`);
}

export function readWaves(folder: string): RolloutRecording {
  return JSON.parse(readFileSync(path.join(folder, files.waves), 'utf8')) as RolloutRecording;
}

export function writeWaves(folder: string, waves: RolloutRecording): void {
  writeFileSync(path.join(folder, files.waves), `${JSON.stringify(waves)}\n`);
}
