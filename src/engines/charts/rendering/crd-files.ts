import { chartsOf, fileText, type ChartNode } from '../chart.ts';
import { inFolder } from '../loading/load-tree.ts';
import type { ChartRules } from './chart-program.ts';
import type { Splitting } from './manifests.ts';

/** A file in the folder `crds/`, which is no template. */
export interface CrdFile {
  readonly name: string;
  readonly text: string;
  /** With `none`, only the first document is decoded. */
  readonly splitting: Splitting;
}

/** Returns the files in `crds/` of a chart and its dependencies. As `Chart.CRDObjects` of Helm. */
export function crdFilesOf(root: ChartNode, rules: ChartRules): CrdFile[] {
  return chartsOf(root).flatMap(({ files, folder }) =>
    files
      .filter(({ name }) => name.startsWith('crds/') && /\.(?:ya?ml|json)$/i.test(name))
      .map((file) => ({
        name: inFolder(folder, file.name),
        text: fileText(file),
        splitting: rules === 'embedded' ? 'none' : 'reader',
      })),
  );
}
