import { fileName } from '../../compiler/emit/file-name.ts';
import { markerOf } from '../decide/content-hash.ts';
import { placementContents, placementHash } from '../decide/placement-content.ts';
import { absent, type Release, type WavePart } from '../decide/promotion.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { EarlierOutput } from '../../workspace/output/earlier-output.ts';
import { clusterFileName, clusterFilesOf } from './cluster-files.ts';
import { committedObjects } from './promoted-placements.ts';

/** Returns a function that returns a part of a release with the content that its clusters have in an earlier output. */
export async function earlierParts(
  release: Release,
  output: EarlierOutput,
): Promise<(part: WavePart) => WavePart> {
  const files = await clusterFilesOf(output);
  const addOns = new Set(release.waves.flat().map(({ addOn }) => addOn));
  const objects = await committedObjects(output, [...addOns].map(addOnFileName));
  // A person decided to go back, so nothing waits for other add-ons.
  return ({ configs: _, requires: __, requiredBy: ___, ...part }) => {
    const { addOn, placement } = part;
    if (placement === undefined) {
      const markerOn = (cluster: string): string => {
        const file = files.get(clusterFileName(addOn, cluster));
        return file === undefined ? absent : markerOf(file.text);
      };
      return { ...part, clusters: mapClusters(part, markerOn) };
    }
    const object = objects.get(addOnFileName(addOn));
    const configs = object && placementContents(object).get(placement);
    const hash = configs === undefined ? absent : placementHash(configs);
    return { ...part, ...(configs && { configs }), clusters: mapClusters(part, () => hash) };
  };
}

function mapClusters(
  { clusters }: Pick<WavePart, 'clusters'>,
  hashOf: (cluster: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(clusters).map((cluster) => [cluster, hashOf(cluster)]));
}

/** Returns the name of the file of a ClusterManagementAddOn, without its folder. */
export function addOnFileName(name: string): string {
  return fileName({
    apiVersion: `${addOnGroup}/v1alpha1`,
    kind: ocmKinds.clusterManagementAddOn.kind,
    metadata: { name },
  });
}
