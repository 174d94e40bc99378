import path from 'node:path';
import type { ClusterFile } from '../../compiler/index.ts';
import { fileName } from '../../compiler/emit/file-name.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import type { EarlierOutput } from '../../workspace/output/earlier-output.ts';

/** Returns the files of clusters in an output, by their names without folders. */
export async function clusterFilesOf({
  ownership,
  read,
}: EarlierOutput): Promise<ReadonlyMap<string, ClusterFile>> {
  const texts = await read(ownership.files.filter(isClusterFile));
  return new Map(Array.from(texts, ([file, text]) => [path.basename(file), { file, text }]));
}

/** Returns the name of the file of an add-on on a cluster, without its folder. */
export function clusterFileName(addOn: string, cluster: string): string {
  return fileName({
    apiVersion: `${addOnGroup}/v1alpha1`,
    kind: 'ManagedClusterAddOn',
    metadata: { namespace: cluster, name: addOn },
  });
}

/** Whether a file of an output is that of a cluster with compiled delivery. */
function isClusterFile(name: string): boolean {
  return /^(?:clusters|wave-\d+)\/managedclusteraddon_/.test(name);
}
