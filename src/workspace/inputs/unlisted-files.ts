import path from 'node:path';
import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import type { ChosenKustomization } from './kustomize/chosen-kustomizations.ts';
import { isBelow, type KustomizationGraph } from './kustomize/kustomization-graph.ts';
import type { Kustomization } from './kustomize/kustomization.ts';
import { someFiles } from './some-files.ts';

/** The files in the folders of a kustomization. */
export interface FilesAround {
  /** Manifests and charts. */
  readonly files: readonly string[];
  readonly graph: KustomizationGraph;
  /** Returns the files and folders that a kustomization reads besides its resources and parts. */
  readonly inputsOf: (kustomization: Kustomization) => readonly string[];
}

/**
 * Reports the files in the folders of a kustomization that it does not use, and that are not read. A kustomization that is not used is
 * reported instead of its files. What the overlay of another hub uses is not reported.
 */
export function unlistedFiles(chosen: ChosenKustomization, around: FilesAround): Diagnostic[] {
  const { root, overlays } = chosen;
  const { graph } = around;
  const used = graph.usedBy(root);
  const isOfHub = (file: string): boolean => overlays !== undefined && isBelow(file, overlays);
  const ofHubs = chosen.around.filter(({ file }) => isOfHub(file)).flatMap((each) => graph.usedBy(each));
  const usedFiles = new Set([...used, ...ofHubs].map(({ file }) => file));
  const unused = chosen.around.filter(({ file }) => !usedFiles.has(file));
  const isUsed = usage([...used, ...ofHubs], around);
  const others = unused.map((each) => ({ file: each.file, uses: usage(graph.usedBy(each), around) }));
  const unlisted = new Set([
    ...around.files
      .filter((file) => !isUsed(file) && !isOfHub(file))
      .map((file) => others.find(({ uses }) => uses(file))?.file ?? file),
    ...graph
      .unused(unused)
      .filter(({ change }) => change !== undefined)
      .map(({ file }) => file),
  ]);
  const byKustomization = new Map<string, string[]>();
  const innermost = [...used].sort((a, b) => b.file.length - a.file.length);
  for (const file of unlisted) {
    const nearest = innermost.find((each) => isBelow(file, path.dirname(each.file)))?.file ?? root.file;
    byKustomization.set(nearest, [...(byKustomization.get(nearest) ?? []), file]);
  }
  return [...byKustomization].map(([file, names]) =>
    diagnostic('FW9015', {
      message: `${file} does not list these files, so they were not read: ${someFiles(names)}`,
      location: { file, line: 1, column: 1 },
      hint: 'list them under resources, or move them out of the folder',
    }),
  );
}

/** Returns whether kustomizations use a file. */
function usage(
  kustomizations: readonly Kustomization[],
  { inputsOf }: FilesAround,
): (file: string) => boolean {
  const inputs = kustomizations.flatMap(inputsOf);
  const names = new Set([
    ...kustomizations.flatMap(({ resources, parts }) => [...resources, ...parts]),
    ...inputs,
  ]);
  return (file) => names.has(file) || inputs.some((folder) => isBelow(file, folder));
}
