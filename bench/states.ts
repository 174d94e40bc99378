// Two states of a repository for the benches that run commands: a base, and a head in which every hundredth cluster moves to another
// environment, which three placements select by, and one template and one configuration are edited. Objects are only admitted, not
// resolved, so that the inputs of 100,000 clusters are written in seconds.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { admit } from '../src/compiler/admit/admit.ts';
import { forHub } from '../src/compiler/admit/conversion/for-hub.ts';
import { hasErrors } from '../src/compiler/model/diagnostic.ts';
import { emit } from '../src/compiler/emit/emit.ts';
import { loadConstructs } from '../src/compiler/load/constructs.ts';
import { collect } from '../constructs/collect.ts';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import { writeFolder } from '../src/workspace/output/output-folder.ts';
import { exampleApp, exampleFleet } from './example-app.ts';

const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;

/** One state: the objects of the app as synth writes them, and a fleet snapshot in JSON. */
export interface State {
  readonly objects: readonly KubernetesObject[];
  readonly fleet: string;
}

/** Returns the state before the pull request. `overrides` is the number of add-ons with configurations of single clusters. */
export function baseState(clusters: number, addOns: number, overrides: number): State {
  return { objects: appObjects(clusters, addOns, overrides), fleet: exampleFleet(clusters) };
}

/** Returns the state after the pull request. */
export function headState({ objects, fleet }: State): State {
  return { objects: edited(objects), fleet: relabelled(fleet) };
}

/** Returns the objects of the app as the hub stores them, which is how synth writes them. */
function appObjects(clusters: number, addOns: number, overrides: number): readonly KubernetesObject[] {
  const { objects } = collect(exampleApp(clusters, addOns, { overrides }));
  const { value, diagnostics } = admit(loadConstructs(objects).value);
  if (hasErrors(diagnostics)) throw new Error(`the example is wrong: ${JSON.stringify(diagnostics[0])}`);
  return value.objects.map(({ object }) => forHub(object, target));
}

/** Edits the first add-on's template and the second one's default configuration. */
function edited(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.map((object) => {
    const name = object.metadata.name ?? '';
    const isTemplate = object.kind === 'AddOnTemplate' && name.includes('add-on-0-');
    const isConfig = object.kind === 'AddOnDeploymentConfig' && name.includes('add-on-1-default');
    if (!isTemplate && !isConfig) return object;
    const text = JSON.stringify(object);
    const changed = isTemplate
      ? text.replace('{{LOG_LEVEL}}', '{{LOG_LEVEL}} edited')
      : text.replace('"1"', '"one"');
    return JSON.parse(changed) as KubernetesObject;
  });
}

function relabelled(fleet: string): string {
  let seen = 0;
  return fleet.replaceAll('"env":"dev"', (label) => (seen++ % 33 === 0 ? '"env":"prod"' : label));
}

/** Writes the output of synth, and beside it the fleet, and settings for `plan`. `plan` does not read the resolution, so it is empty. */
export async function writeState(folder: string, { objects, fleet }: State): Promise<void> {
  await writeFolder(path.join(folder, 'dist/example'), emit(objects, {}, 'argocd'), {});
  await writeFile(path.join(folder, 'fleet.json'), fleet);
  await writeFile(path.join(folder, 'fleetwright.yaml'), 'apps: dist\nfleet: fleet.json\n');
}
