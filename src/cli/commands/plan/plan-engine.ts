import path from 'node:path';
import {
  type AppStates,
  type ChangedApp,
  type Engine,
  engineEffects,
  type EngineEffects,
  type Plan,
} from '../../../compiler/index.ts';
import { droppedObjects, outputIn } from '../../../workspace/output/earlier-output.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';

/** An app in the two states of a plan. */
type PlannedApp = AppStates & Pick<ChangedApp, 'isRemoved'>;

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
  target: CompileTarget,
  engine: Engine,
): Promise<EngineEffects | undefined> {
  if (engine === 'none') return undefined;
  const changed = await Promise.all(apps.map(async (app) => await changedApp(app, plan, output)));
  return engineEffects(changed.flat(), target, engine);
}

/** An app that does not change stays as it is on the hub. */
async function changedApp(states: PlannedApp, plan: Plan, folder: string): Promise<readonly ChangedApp[]> {
  const { app, head } = states;
  const objects = plan.objects.filter((change) => change.app === app && change.source === 'app');
  const addOns = plan.addOns.filter((addOn) => addOn.app === app && addOn.kind === undefined);
  if (objects.length + addOns.length === 0) return [];
  const output = await outputIn(path.join(folder, app));
  const written = head.inventory.objects.flatMap(({ object, source }) => (source === 'app' ? [object] : []));
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
      dropped: await droppedObjects(output, written),
    },
  ];
}
