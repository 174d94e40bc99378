import path from 'node:path';
import { individualObjects, load, type Diagnostic } from '../../compiler/index.ts';
import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import { addToGroup } from '../../collections/groups.ts';
import { diagnostic } from '../../compiler/diagnostic.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { isJsonList, isJsonMap } from '../../kubernetes/json-map.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { addOnGroup } from '../../schemas/groups.ts';
import { ocmKinds } from '../../schemas/kinds.ts';
import { specHash } from '../../ocm/spec-hash.ts';
import { objectIn } from '../earlier-output.ts';
import { promotedOutput, type PromotedInput, type PromotedOutput } from './promoted-output.ts';

/** The output of an app with a promotion. */
export interface PromotedApp extends PromotedOutput {
  /** Committed templates and configurations that clusters use until their wave. They stay, whatever the app has. */
  readonly used: readonly KubernetesObject[];
}

/** Decides the files of the clusters of an app, and what has to stay on the hub for those that wait. */
export async function promotedApp(input: PromotedInput): Promise<PromotedApp> {
  const { configuration } = input.resolution;
  const isCompiled = [...configuration.values()].some(({ delivery }) => delivery === 'compiled');
  const output = await promotedOutput(input);
  if (!isCompiled && configuration.size > 0) {
    const finding = diagnostic('FW8041', {
      message: `no add-on of app "${input.promotion.app}" has compiled delivery, so a promotion has nothing to hold back`,
      location: { file: input.file, line: 1, column: 1 },
      hint: "set `delivery: 'compiled'`, or remove the file: the hub rolls out what it delivers",
    });
    return { ...output, used: [], diagnostics: [...output.diagnostics, finding] };
  }
  const { used, diagnostics } = await usedObjects(input, output);
  return { ...output, used, diagnostics: [...output.diagnostics, ...ungatedAddOns(input), ...diagnostics] };
}

/** Reports the add-ons that the hub delivers: the promotion of the app does not hold them back. */
function ungatedAddOns({ resolution, promotion, file }: PromotedInput): readonly Diagnostic[] {
  return [...resolution.configuration.values()]
    .filter(({ delivery }) => delivery !== 'compiled')
    .map(({ name }) =>
      diagnostic('FW8044', {
        message: `the hub delivers add-on "${name}", so the promotion of app "${promotion.app}" does not hold its changes back`,
        location: { file, line: 1, column: 1 },
        hint: "set `delivery: 'compiled'`, or move the add-on to another app",
      }),
    );
}

/**
 * Returns the committed configurations that the files of clusters name. The hub has one object of each name: if Git changes one
 * that waiting clusters use, they would not keep what they have.
 */
async function usedObjects(
  input: PromotedInput,
  { files, waiting }: PromotedOutput,
): Promise<{ readonly used: readonly KubernetesObject[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { committed, resolution, target } = input;
  const emitted = new Map(committed.ownership.files.map((file) => [path.basename(file), file]));
  const names = [...new Set(files.flatMap(({ text }) => configFiles(text)))].filter((name) =>
    emitted.has(name),
  );
  const texts = await committed.read(names.map((name) => emitted.get(name) ?? name));
  const used = names.flatMap((name) => {
    const file = emitted.get(name) ?? name;
    return objectIn(texts.get(file), file) ?? [];
  });
  const users = new Map<string, string[]>();
  for (const { file, text } of waiting)
    for (const name of configFiles(text)) addToGroup(users, name, path.basename(file));
  const now = new Map(individualObjects(resolution, target).map((object) => [fileName(object), object]));
  const diagnostics = used.flatMap((before) => {
    const object = now.get(fileName(before));
    const count = users.get(fileName(before))?.length ?? 0;
    if (object === undefined || count === 0 || specHash(before) === specHash(object)) return [];
    const { kind, metadata } = object;
    const clusters =
      count === 1 ? '1 cluster uses it until its wave' : `${count} clusters use it until their waves`;
    return [
      diagnostic('FW8043', {
        message: `${kind} "${metadata.name ?? ''}" is changed in place, but ${clusters}`,
        location: { file: input.file, line: 1, column: 1 },
        hint: 'give each version its own name: set `immutable: true`, or rename the object',
      }),
    ];
  });
  return { used, diagnostics };
}

const kinds = [ocmKinds.addOnTemplate, ocmKinds.addOnDeploymentConfig];
/** Most clusters name the same configurations. */
const namesByConfigs = new Map<string, readonly string[]>();

/** Returns the file names of the configurations that the ManagedClusterAddOn in the file of a cluster names. */
function configFiles(text: string): readonly string[] {
  const [configs = ''] = /^ {2}configs:\n(?: {2}[- ].*\n)*/m.exec(text) ?? [];
  return getOrInsertComputed(namesByConfigs, configs, () => {
    const document = `apiVersion: v1\nkind: Configs\nmetadata: {}\nspec:\n${configs}`;
    const [loaded] = configs === '' ? [] : load([{ file: 'configs', text: document, source: 'app' }]).value;
    const list = isJsonMap(loaded?.object.spec) ? loaded.object.spec['configs'] : undefined;
    if (!isJsonList(list)) return [];
    return list.flatMap((config) => {
      if (!isJsonMap(config) || config['group'] !== addOnGroup) return [];
      const kind = kinds.find(({ plural }) => plural === config['resource']);
      if (kind === undefined) return [];
      const { namespace, name } = config;
      return fileName({
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: kind.kind,
        metadata: {
          name: String(name),
          ...(typeof namespace === 'string' && { namespace }),
        },
      });
    });
  });
}
