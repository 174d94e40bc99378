import path from 'node:path';
import {
  type AppStates,
  type ChangedApp,
  type Diagnostic,
  type Engine,
  engineEffects,
  type EngineEffects,
  type Plan,
} from '../../../compiler/index.ts';
import {
  droppedObjects,
  earlierRevisions,
  outputIn,
  removedObjects,
  type EarlierOutput,
} from '../../../workspace/output/earlier-output.ts';
import { fileName } from '../../../compiler/emit/file-name.ts';
import { objectsOfApp } from '../../../compiler/model/inventory.ts';
import { keptObjects } from '../../../compiler/emit/removed-objects.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { BaseRevision } from '../../../workspace/base-revision.ts';
import { historyLimitOf, type HistoryLimits } from '../../../workspace/settings/history-limits.ts';
import { lostFault } from '../../../workspace/output/output-faults.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';

/** What the output is written for. */
interface AppliedOutput {
  readonly target: CompileTarget;
  readonly engine: Engine;
  readonly historyLimits: HistoryLimits;
}

/** An app in the two states of a plan. */
type PlannedApp = AppStates & Pick<ChangedApp, 'isRemoved' | 'isPromoted'>;

/**
 * Returns what the GitOps engine does differently with a plan. Undefined if nothing differs.
 *
 * @param output - the output folder of the earlier state, which has the objects that an earlier change left
 * @throws UserError if the ownership file of an output is not valid.
 */
export async function planEngine(
  apps: readonly PlannedApp[],
  plan: Plan,
  output: string,
  applied: AppliedOutput,
): Promise<EngineEffects | undefined> {
  const { engine, target } = applied;
  if (engine === 'none') return undefined;
  const changed = await Promise.all(apps.map(async (app) => await changedApp(app, plan, output, applied)));
  return engineEffects(changed.flat(), target, engine);
}

/**
 * Reports objects that the committed output of the head lost: the base has them, and clusters may still use them. An app whose output
 * is not committed is left out.
 *
 * @param folders - the output folders of both states, as paths, and that of the head as the user knows it
 */
export async function lostOutput(
  apps: readonly PlannedApp[],
  folders: { readonly base: string; readonly head: string; readonly shown: string },
  base: BaseRevision,
  { reverted, ...applied }: AppliedOutput & { readonly reverted: () => Promise<string | undefined> },
): Promise<readonly Diagnostic[]> {
  if (applied.engine === 'none') return [];
  const faults: Diagnostic[] = [];
  for (const { app, head, isRemoved } of apps) {
    if (isRemoved) continue;
    const before = await limitedOutput(folders.base, app, applied);
    const after = outputIn(path.join(folders.head, app));
    if (after.ownership.files.length === 0) continue;
    const written = new Set(writtenObjects(head).map(fileName));
    const has = new Set(after.ownership.files.map((file) => path.basename(file)));
    const remaining = await remainingFiles(before, writtenObjects(head), head, applied.target);
    const lost = [...remaining].filter((file) => !written.has(file) && !has.has(file));
    if (lost.length > 0)
      faults.push(lostFault(path.join(folders.shown, app), lost, { base, reverted: await reverted() }));
  }
  return faults;
}

/** An app that does not change stays as it is on the hub. */
async function changedApp(
  states: PlannedApp,
  plan: Plan,
  folder: string,
  applied: AppliedOutput,
): Promise<readonly ChangedApp[]> {
  const { app, head } = states;
  const objects = plan.objects.filter((change) => change.app === app && change.source === 'app');
  const addOns = plan.addOns.filter((addOn) => addOn.app === app && addOn.kind === undefined);
  if (objects.length + addOns.length === 0) return [];
  const output = await limitedOutput(folder, app, applied);
  const written = writtenObjects(head);
  return [
    {
      ...states,
      changed: objects
        .filter(({ change }) => change !== 'removed')
        .map(({ apiVersion, kind, namespace, name }) => ({
          apiVersion,
          kind,
          metadata: { name, ...(namespace !== undefined && { namespace }) },
        })),
      reached: new Map(
        addOns.map(({ addOn, groups }) => [
          addOn,
          groups.flatMap(({ effect, clusters }) => (effect === 'uninstalled' ? [] : clusters)),
        ]),
      ),
      dropped: await droppedObjects(output, await remainingFiles(output, written, head, applied.target)),
    },
  ];
}

/** Returns the output of an app in a folder, with the limits that apply to the next one. */
async function limitedOutput(
  folder: string,
  app: string,
  { historyLimits }: AppliedOutput,
): Promise<EarlierOutput> {
  return { ...outputIn(path.join(folder, app)), historyLimit: historyLimitOf(app, historyLimits) };
}

function writtenObjects({ inventory }: AppStates['head']): readonly KubernetesObject[] {
  return objectsOfApp(inventory).map(({ object }) => object);
}

/** Returns the names of the files of the next output. */
async function remainingFiles(
  output: EarlierOutput,
  written: readonly KubernetesObject[],
  head: AppStates['head'],
  target: CompileTarget,
): Promise<ReadonlySet<string>> {
  const { objects: past, revisions } = await earlierRevisions(output, written);
  const files = new Set([...written, ...past].map(fileName));
  const { objects: gone, history } = await removedObjects(output, { files, revisions }, new Set());
  const kept = keptObjects([...gone.values()], written, head, target).map(fileName);
  return new Set([...files, ...Object.values(history(kept)).flat()]);
}
