import path from 'node:path';
import type { Diagnostic } from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import type { Kustomization } from './kustomization.ts';
import { isBelow, type KustomizationGraph } from './kustomization-graph.ts';

/** A folder that a command reads, with the kustomizations in it. */
export interface KustomizationFolder {
  /** Relative to the working folder. */
  readonly folder: string;
  /** The name of the app. @default - the folder is not an app of the workspace */
  readonly app?: string;
  readonly kustomizations: readonly Kustomization[];
  /** The folder of the kustomization that applies: that of the settings, or the overlay of the hub. @default - it follows from the files */
  readonly chosen?: string;
  /** The folder with one kustomization per hub, all of which are among `kustomizations`. @default - there is none */
  readonly overlays?: string;
}

/** The kustomization that determines the content of a folder. */
export interface ChosenKustomization {
  readonly root: Kustomization;
  /** All kustomizations in the folder. */
  readonly around: readonly Kustomization[];
  /** The folders of which nothing else is read. */
  readonly folders: readonly string[];
  /** The folder with the kustomizations of all hubs. @default - there is none */
  readonly overlays?: string;
}

/**
 * Returns the kustomization of a folder: the chosen one, the one in the folder itself, or the only one below that no other one
 * uses. Undefined if no kustomization applies.
 *
 * @param isPartial - whether files are checked one by one, so that only kustomizations of the folder itself and of apps apply
 */
export function chosenKustomization(
  input: KustomizationFolder,
  graph: KustomizationGraph,
  isPartial: boolean,
): ChosenKustomization | Diagnostic | undefined {
  const { folder, app, kustomizations, chosen, overlays } = input;
  const at = (where: string): Kustomization | undefined =>
    kustomizations.find(({ file }) => path.dirname(file) === where);
  const ofAll = (root: Kustomization): ChosenKustomization => ({
    root,
    around: kustomizations,
    folders: [folder],
    ...(overlays !== undefined && { overlays }),
  });
  const only = at(chosen ?? folder);
  if (only !== undefined) return ofAll(only);
  if (isPartial && app === undefined) return undefined;
  const candidates = kustomizations.filter(({ file }) => overlays === undefined || !isBelow(file, overlays));
  const [root, other, ...others] = graph.unused(candidates);
  if (root === undefined) return undefined;
  if (other !== undefined) return severalKustomizations(input, [root, other, ...others], graph);
  const folders = candidates.map(({ file }) => path.dirname(file));
  return { ...ofAll(root), folders };
}

function severalKustomizations(
  { folder, app }: KustomizationFolder,
  roots: readonly Kustomization[],
  graph: KustomizationGraph,
): Diagnostic {
  const folders = roots.map(({ file }) => path.dirname(file));
  const [first = folder] = folders;
  const top = path.join(folder, 'kustomization.yaml');
  const names = folders.map((each) => path.basename(each));
  const [, ...others] = roots;
  const isPerHub = folders.every((each) => path.dirname(each) === path.join(folder, 'overlays'));
  const forHubs = isPerHub
    ? `if each is for one hub, list the hubs ${names.join(' and ')} under hubs in fleetwright.yaml`
    : `if each is for one hub, move it to ${path.join(folder, 'overlays')}/HUB and list the hubs under hubs in fleetwright.yaml`;
  const forOne =
    app === undefined
      ? `name the folder of one of them, such as ${first}`
      : `to apply only one, set kustomize.apps.${app} in fleetwright.yaml, for example to ${path.relative(folder, first)}`;
  // kustomize rejects a kustomization that contains an object twice.
  const used = roots.flatMap((root) => graph.usedBy(root).map(({ file }) => file));
  const forAll = new Set(used).size === used.length ? [`to apply all, list them in ${top}`] : [];
  return diagnostic('FW9170', {
    message: `${folder} has several kustomizations that none of the others uses: ${folders.join(', ')}`,
    location: { file: roots[0]?.file ?? top, line: 1, column: 1 },
    hint: [...(app === undefined ? [] : [forHubs]), forOne, ...forAll].join('; '),
    related: others.map(({ file }) => ({
      message: 'another one',
      location: { file, line: 1, column: 1 },
    })),
  });
}
