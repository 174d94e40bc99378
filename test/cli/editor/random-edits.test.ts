import { expect, test } from 'vitest';
import { LivePlan } from '../../../src/cli/commands/plan/live/live-plan.ts';
import { contentOf as contentOfPlan } from '../../../src/cli/commands/plan/live/plan-pages.ts';
import { argumentsOf } from '../../../src/cli/commands/plan/plan-arguments.ts';
import { type Answer, ResidentWorkspace } from '../../../src/cli/editor/resident-workspace.ts';
import { changedFiles, type WatchedFiles } from '../../../src/cli/watch/watched-files.ts';
import type { Resolution } from '../../../src/compiler/index.ts';
import type { KeptContents } from '../../../src/workspace/kept-contents.ts';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { Random } from '../../hub/differential/random.ts';
import { folderWith } from '../terminal.ts';
import { silentTerminal } from './editor.ts';
import { RandomWorkspace } from './random-workspace.ts';

/** How many sequences of edits are played, and from which seed. */
const count = Number(process.env['EDIT_SEQUENCES'] ?? 17);
const firstSeed = Number(process.env['EDIT_SEED'] ?? 1);
const editsOfSequence = 12;

/** What an answer says, without the identity of objects. */
function contentOf({ findings, units, earlier, failure }: Answer): unknown {
  return {
    failure,
    findings,
    units: units.map(({ hub, paths, resolution }) => ({
      hub,
      paths,
      ...(resolution && resultOf(resolution)),
    })),
    earlier,
  };
}

/** Returns every object that the hub will have, where each was written, and the waves. */
function resultOf(resolution: Resolution): object {
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const { inventory, rollouts, configuration } = resolution;
  return {
    objects: [...hubObjects(resolution, target)],
    written: inventory.objects.map(({ object, origin, source }) => [
      object.kind,
      object.metadata.name,
      origin.location,
      origin.locate(['metadata', 'name']),
      source,
    ]),
    winners: [...configuration.values()].map(({ name, clusters }) => [
      name,
      [...clusters.values()].map(({ cluster, effective }) => [
        cluster,
        effective.kinds.map(({ winners, losers }) =>
          [...winners, ...losers].map((candidate) => [
            candidate.reference,
            candidate.level,
            candidate.origin.locate(candidate.path),
          ]),
        ),
      ]),
    ]),
    waves: [...rollouts].map(([name, { waves, stops }]) => [name, waves, stops]),
  };
}

/** A plan from HEAD to what the editor shows, which is made again after each edit. */
class RepeatedPlan {
  readonly #plan: LivePlan;
  #files: WatchedFiles = new Map();

  /** @param shared - what the findings of the editor keep. @default - the plan begins with nothing */
  constructor(folder: string, openFiles: ReadonlyMap<string, string>, shared?: KeptContents) {
    const terminal = { ...silentTerminal(folder), openFiles, ...(shared && { keptContents: shared }) };
    this.#plan = new LivePlan(argumentsOf('HEAD'), terminal);
  }

  async content(): Promise<string> {
    const files = await this.#plan.read();
    const changed = changedFiles(this.#files, files);
    this.#files = files;
    if (changed.length > 0) await this.#plan.forget(changed);
    return await this.#plan.answer(async (answer) => await Promise.resolve(contentOfPlan(answer)));
  }

  async end(): Promise<void> {
    await this.#plan.end();
  }
}

test(
  'after random edits, saved and not, and commits, the answer and the plan are those of a new process',
  { timeout: 60_000 + count * 30_000 },
  async () => {
    const compared = { answers: 0, plans: 0 };
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const random = new Random(seed);
      const folder = await folderWith({});
      const workspace = new RandomWorkspace(folder, random);
      const resident = new ResidentWorkspace(silentTerminal(folder));
      const plan = new RepeatedPlan(folder, resident.openFiles, resident.contents);
      const done: string[] = [];
      for (let edit = 0; edit < editsOfSequence; edit += 1) {
        done.push(workspace.edit(resident));
        const cold = new ResidentWorkspace(silentTerminal(folder));
        for (const [file, text] of workspace.shown) cold.show(file, text);
        const edits = `seed ${seed}: ${done.join('; ')}`;
        const isPlanned = random.chance(0.5);
        const coldPlan = new RepeatedPlan(folder, resident.openFiles);
        const [warmContent, coldContent] = [
          { edits, answer: contentOf(await resident.answer()), plan: isPlanned && (await plan.content()) },
          { edits, answer: contentOf(await cold.answer()), plan: isPlanned && (await coldPlan.content()) },
        ];
        expect(warmContent).toEqual(coldContent);
        compared.answers += 1;
        if (isPlanned) compared.plans += 1;
        await coldPlan.end();
        await cold.end();
      }
      await resident.end();
      await plan.end();
    }
    const { answers, plans } = compared;
    process.stdout.write(`${answers} answers and ${plans} plans are those of a new process\n`);
  },
);
