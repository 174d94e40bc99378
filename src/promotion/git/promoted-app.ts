import path from 'node:path';
import { howToVersion } from '../../compiler/revisions/how-to-version.ts';
import { individualObjects, load, type Diagnostic } from '../../compiler/index.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { referentsIn } from '../decide/placement-content.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { isJsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { guessResource } from '../../base/names/resource-name.ts';
import { referentKey, type Referent } from '../../ocm/referent.ts';
import type { ReleasedOutput } from '../../workspace/output/compile-app.ts';
import type { EarlierOutput } from '../../workspace/output/earlier-output.ts';
import { specHash } from '../../ocm/spec-hash.ts';
import { committedObjects, promotedPlacements, type PromotedPlacements } from './promoted-placements.ts';
import { promotedOutput, type PromotedInput, type PromotedOutput } from './promoted-output.ts';

/** The output of an app with a promotion. */
export interface PromotedApp extends PromotedOutput, ReleasedOutput {}

/** Decides the files of the clusters of an app, and what has to stay on the hub for those that wait. */
export async function promotedApp(input: PromotedInput): Promise<PromotedApp> {
  const { configuration } = input.resolution;
  const output = await promotedOutput(input);
  const placements = await promotedPlacements(input);
  const isCompiled = [...configuration.values()].some(({ delivery }) => delivery === 'compiled');
  if (!isCompiled && !placements.isHolding && configuration.size > 0) {
    const finding = diagnostic('FW8041', {
      message: `no add-on of app "${input.promotion.app}" is installed by placements or has compiled delivery, so a promotion has nothing to hold back`,
      location: { file: input.file, line: 1, column: 1 },
      hint: 'install it by placements, or remove the file',
    });
    return { ...output, addOns: new Map(), used: [], diagnostics: [...output.diagnostics, finding] };
  }
  const { used, diagnostics } = await usedObjects(input, output, placements);
  return {
    ...output,
    pending: [...output.pending, ...placements.pending],
    isChanged: output.isChanged || placements.isChanged,
    isRolledBack: output.isRolledBack || placements.isRolledBack,
    addOns: placements.addOns,
    used,
    diagnostics: [...output.diagnostics, ...placements.diagnostics, ...diagnostics],
  };
}

/**
 * Returns the committed configurations that the files of clusters and placements name. The hub has one object of each name: if Git
 * changes one that waiting clusters use, they would not keep what they have.
 */
async function usedObjects(
  input: PromotedInput,
  { files, waiting }: PromotedOutput,
  placements: PromotedPlacements,
): Promise<{ readonly used: readonly KubernetesObject[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { resolution, target } = input;
  const references = [...files.flatMap(({ text }) => configsIn(text)), ...placements.references];
  const used = await configObjects(input, references);
  const users = new Map<string, number>();
  const use = (config: Referent, clusters: number): unknown =>
    users.set(referentKey(config), (users.get(referentKey(config)) ?? 0) + clusters);
  for (const { text } of waiting) for (const config of configsIn(text)) use(config, 1);
  for (const { configs, clusters } of placements.uses) for (const config of configs) use(config, clusters);
  const now = new Map(individualObjects(resolution, target).map((object) => [fileName(object), object]));
  const diagnostics = [...used].flatMap(([key, before]) => {
    const object = now.get(fileName(before));
    const count = users.get(key) ?? 0;
    if (object === undefined || count === 0 || specHash(before) === specHash(object)) return [];
    const { kind, metadata } = object;
    const written = resolution.inventory.objects.find(
      (each) => fileName(each.object) === fileName(before) && each.source === 'app',
    );
    const clusters =
      count === 1 ? '1 cluster uses it until its wave' : `${count} clusters use it until their waves`;
    return [
      diagnostic('FW8043', {
        message: `${kind} "${metadata.name ?? ''}" is changed in place, but ${clusters}`,
        location: { file: input.file, line: 1, column: 1 },
        hint: (written && howToVersion(written)) ?? 'give each version its own name',
      }),
    ];
  });
  return { used: [...used.values()], diagnostics };
}

/** Returns committed configurations by `referentKey`. A rollback finds those that are no longer there in the commit that has them. */
async function configObjects(
  { committed, committedAt, promotion }: PromotedInput,
  configs: readonly Referent[],
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const present = await configObjectsIn(committed, configs);
  const { release } = promotion.status;
  const missing = configs.filter((config) => !present.has(referentKey(config)));
  if (release?.restores === undefined || missing.length === 0) return present;
  return new Map([...present, ...(await configObjectsIn(await committedAt(release.source), missing))]);
}

/** Returns the configurations that an output has, by `referentKey`. They may be of any kind. */
async function configObjectsIn(
  output: EarlierOutput,
  configs: readonly Referent[],
): Promise<ReadonlyMap<string, KubernetesObject>> {
  // References name the plural, and files the kind.
  const files = new Map<string, string>();
  for (const file of output.ownership.files) {
    const name = path.basename(file);
    const [kind = ''] = /^[^._]*/.exec(name) ?? [];
    if (kind !== 'managedclusteraddon') files.set(guessResource(kind) + name.slice(kind.length), name);
  }
  const names = new Map<string, string>();
  for (const config of configs) {
    const { group, resource, ...metadata } = config;
    const ofKind = fileName({ apiVersion: group === '' ? 'v1' : `${group}/v1`, kind: 'k', metadata });
    const name = files.get(resource + ofKind.slice(1));
    if (name !== undefined) names.set(referentKey(config), name);
  }
  const objects = await committedObjects(output, [...names.values()]);
  return new Map(
    [...names].flatMap(([key, name]) => {
      const object = objects.get(name);
      return object === undefined ? [] : [[key, object] as const];
    }),
  );
}

/** Most clusters name the same configurations. */
const configsByText = new Map<string, readonly Referent[]>();

/** Returns the configurations that the ManagedClusterAddOn in the file of a cluster names. */
function configsIn(text: string): readonly Referent[] {
  const [configs = ''] = /^ {2}configs:\n(?: {2}[- ].*\n)*/m.exec(text) ?? [];
  return getOrInsertComputed(configsByText, configs, () => {
    const document = `apiVersion: v1\nkind: Configs\nmetadata: {}\nspec:\n${configs}`;
    const [loaded] = configs === '' ? [] : load([{ file: 'configs', text: document, source: 'app' }]).value;
    return isJsonMap(loaded?.object.spec) ? referentsIn(loaded.object.spec['configs']) : [];
  });
}
