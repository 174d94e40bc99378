import { gzipSync } from 'node:zlib';
import { loadChart } from '../../engines/charts/index.ts';
import { tar } from '../output/tar.ts';

/** Returns the archive of a chart's files, as `helm package` packs them: in a folder with the name of the chart. */
export function packChart(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const name = loadChart(files, { rules: 'helm' }).chart?.name ?? 'chart';
  const names = [...files.keys()].toSorted();
  // Helm's reader wants the description first.
  const ordered = ['Chart.yaml', ...names.filter((each) => each !== 'Chart.yaml')];
  const entries = ordered.flatMap((each) => {
    const bytes = files.get(each);
    return bytes === undefined ? [] : [[`${name}/${each}`, bytes] as const];
  });
  return gzipSync(tar(new Map(entries)), { level: 9 });
}
