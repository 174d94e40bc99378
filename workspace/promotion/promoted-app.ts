import { individualObjects, load, type Diagnostic } from '../../compiler/index.ts';
import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import { diagnostic } from '../../compiler/diagnostic.ts';
import { referentsIn } from '../../compiler/promotion/placement-content.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { isJsonList, isJsonMap } from '../../kubernetes/json-map.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { addOnGroup } from '../../schemas/groups.ts';
import { ocmKinds } from '../../schemas/kinds.ts';
import type { Referent } from '../../ocm/referent.ts';
import { specHash } from '../../ocm/spec-hash.ts';
import { committedObjects, promotedPlacements, type PromotedPlacements } from './promoted-placements.ts';
import { promotedOutput, type PromotedInput, type PromotedOutput } from './promoted-output.ts';

/** The output of an app with a promotion. */
export interface PromotedApp extends PromotedOutput, Pick<PromotedPlacements, 'addOns'> {
  /** Committed templates and configurations that clusters use until their wave. They stay, whatever the app has. */
  readonly used: readonly KubernetesObject[];
}

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
    isTakenBack: output.isTakenBack || placements.isTakenBack,
    addOns: placements.addOns,
    used,
    diagnostics: [...output.diagnostics, ...placements.diagnostics, ...diagnostics],
  };
}

/**
 * Returns the committed configurations that the files of clusters and placements name. The hub has one object of each name: if Git changes one
 * that waiting clusters use, they would not keep what they have.
 */
async function usedObjects(
  input: PromotedInput,
  { files, waiting }: PromotedOutput,
  placements: PromotedPlacements,
): Promise<{ readonly used: readonly KubernetesObject[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { resolution, target } = input;
  const names = new Set([
    ...files.flatMap(({ text }) => configFiles(text)),
    ...placements.references.flatMap(configFile),
  ]);
  const used = [...(await objectsOf(input, names)).values()];
  const users = new Map<string, number>();
  const use = (name: string, clusters: number): unknown => users.set(name, (users.get(name) ?? 0) + clusters);
  for (const { text } of waiting) for (const name of configFiles(text)) use(name, 1);
  for (const { configs, clusters } of placements.waiting)
    for (const name of configs.flatMap(configFile)) use(name, clusters);
  const now = new Map(individualObjects(resolution, target).map((object) => [fileName(object), object]));
  const diagnostics = used.flatMap((before) => {
    const object = now.get(fileName(before));
    const count = users.get(fileName(before)) ?? 0;
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

/** Returns committed objects by their file names. A take-back finds those that are no longer there in the commit that has them. */
async function objectsOf(
  { committed, committedAt, promotion }: PromotedInput,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  const objects = await committedObjects(committed, [...names]);
  const { release } = promotion.status;
  const missing = [...names].filter((name) => !objects.has(name));
  if (release?.restores === undefined || missing.length === 0) return objects;
  return new Map([...objects, ...(await committedObjects(await committedAt(release.source), missing))]);
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
    return referentsIn(list).flatMap(configFile);
  });
}

/** Returns the file name of a configuration, if it is of a kind that Git has for the add-on. */
function configFile({ group, resource, ...metadata }: Referent): readonly string[] {
  const kind = group === addOnGroup ? kinds.find(({ plural }) => plural === resource) : undefined;
  return kind === undefined
    ? []
    : [fileName({ apiVersion: `${addOnGroup}/v1alpha1`, kind: kind.kind, metadata })];
}
