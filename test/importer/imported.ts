import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as plus from 'cdk8s-plus-27';
import { ConstructSynthesizer } from '../../src/workspace/construct-synthesizer.ts';
import { admit } from '../../src/compiler/admit/admit.ts';
import { emit } from '../../src/compiler/emit/emit.ts';
import { forHub } from '../../src/compiler/admit/conversion/for-hub.ts';
import { hubVersion, type AddOnApiVersion } from '../../src/ocm/hub-version.ts';
import { importObjects, type ImportedApp } from '../../src/importer/import-objects.ts';
import { isOfFleet } from '../../src/importer/fleet-state.ts';
import { hasErrors, type Diagnostic } from '../../src/compiler/model/diagnostic.ts';
import type { LoadedObject } from '../../src/compiler/model/inventory.ts';
import { loadConstructs } from '../../src/compiler/load/constructs.ts';
import { load } from '../../src/compiler/load/load.ts';
import type { App } from '../../constructs/index.ts';
import { collect } from '../../constructs/index.ts';

/** Imports one file of YAML. */
export function importText(
  text: string,
  file = 'input.yaml',
): { app: ImportedApp | undefined; diagnostics: readonly Diagnostic[] } {
  const loaded = load([{ file, text, source: 'app' }]);
  if (hasErrors(loaded.diagnostics)) throw new Error(JSON.stringify(loaded.diagnostics));
  const { value, diagnostics } = importObjects(
    loaded.value,
    [{ file, text }],
    new ConstructSynthesizer(plus),
  );
  return { app: value, diagnostics: [...loaded.diagnostics, ...diagnostics] };
}

/** Writes an imported app into a folder. */
export async function writeApp(folder: string, app: ImportedApp): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of app.files) await writeFile(path.join(folder, name), text);
}

/** What synth emits for an app that was written into a folder: its constructs, and its YAML but the fleet. */
export async function synthesized(
  folder: string,
  app: ImportedApp,
  addOnApiVersion: AddOnApiVersion = 'v1alpha1',
): Promise<ReadonlyMap<string, string>> {
  const objects: LoadedObject[] = [];
  if (app.files.has('app.ts')) {
    const module = (await import(pathToFileURL(path.join(folder, 'app.ts')).href)) as { default: App };
    const collection = collect(module.default);
    if (collection.errors.length > 0) throw new Error(JSON.stringify(collection.errors));
    objects.push(...loadConstructs(collection.objects).value);
  }
  return emitted([...objects, ...loaded(app.files.get('kept.yaml'))], addOnApiVersion);
}

/** The output of synth for YAML, without the objects of the fleet. */
export function emittedFrom(
  text: string,
  addOnApiVersion: AddOnApiVersion = 'v1alpha1',
): ReadonlyMap<string, string> {
  return emitted(
    loaded(text).filter(({ object }) => !isOfFleet(object, 'app')),
    addOnApiVersion,
  );
}

/** The fleet that a YAML file describes. */
export function fleetOf(text: string | undefined): ReadonlyMap<string, unknown> {
  const fleet = loaded(text).filter(
    ({ object }) => isOfFleet(object, 'app') || object['status'] !== undefined,
  );
  return new Map(
    admit(fleet).value.objects.map(({ object }) => [
      `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
      object,
    ]),
  );
}

function loaded(text: string | undefined): readonly LoadedObject[] {
  return load([{ file: 'text.yaml', text: text ?? '', source: 'app' }]).value;
}

function emitted(
  objects: readonly LoadedObject[],
  addOnApiVersion: AddOnApiVersion,
): ReadonlyMap<string, string> {
  const { value, diagnostics } = admit(objects);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const target = { hub: hubVersion('1.3'), addOnApiVersion };
  return emit(
    value.objects.map(({ object }) => forHub(object, target)),
    {},
    'none',
  );
}
