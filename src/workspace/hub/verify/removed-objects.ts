import { fileName } from '../../../compiler/emit/file-name.ts';
import { isProtectedFromPruning } from '../../../compiler/status/left/left-objects.ts';
import type { Unasked } from '../../../compiler/verify/index.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import type { Resource } from '../../../client/resource.ts';
import { resourceOf } from '../../../ocm/resource.ts';
import { engineOf } from '../../../ocm/writer.ts';
import { outputFileNames } from '../../output/output-objects.ts';
import type { Workspace } from '../../workspace.ts';
import { EngineOwners } from '../engine-owners.ts';
import { listingOnce } from '../hub-lists.ts';
import type { HubReader } from '../hub-reader.ts';
import { unlessForbidden } from '../unless-forbidden.ts';
import { grant } from './permission-rule.ts';
import { ruleOf } from './served-kinds.ts';
import type { RemovedObject } from './verify-objects.ts';

/** The kinds of OCM that synth writes, and that the engines prune. */
const prunedKinds: readonly Resource[] = [
  resourceOf(ocmKinds.placement, 'v1beta1'),
  resourceOf(ocmKinds.managedClusterSet, 'v1beta2'),
  resourceOf(ocmKinds.managedClusterSetBinding, 'v1beta2'),
  resourceOf(ocmKinds.clusterManagementAddOn, 'v1alpha1'),
  resourceOf(ocmKinds.managedClusterAddOn, 'v1alpha1'),
  resourceOf(ocmKinds.addOnDeploymentConfig, 'v1alpha1'),
  resourceOf(ocmKinds.addOnTemplate, 'v1alpha1'),
];

/**
 * Returns the objects that an engine applied to the hub for this workspace, that the output does not have, and that the engine would
 * delete.
 *
 * @throws HubError if the hub cannot be read
 */
export async function removedObjects(
  reader: HubReader,
  workspace: Workspace,
): Promise<{ readonly removals: readonly RemovedObject[]; readonly unasked: readonly Unasked[] }> {
  const lists = listingOnce(reader);
  const files = await outputFileNames(workspace);
  const unasked: Unasked[] = [];
  const candidates: RemovedObject[] = [];
  for (const resource of prunedKinds) {
    const listed = await unlessForbidden(lists.list(resource), () =>
      unasked.push({
        what: `removal of ${resource.plural}`,
        why: 'the user may not list them',
        remedy: grant({ ...ruleOf(resource), verbs: ['list'] }),
      }),
    );
    for (const listedObject of listed ?? []) {
      // Items of a list leave out what the list says.
      const object = { ...listedObject, apiVersion: resource.apiVersion, kind: resource.kind };
      if (isCandidate(object, files)) candidates.push({ resource, object });
    }
  }
  if (candidates.length === 0) return { removals: [], unasked };
  const owners = await EngineOwners.read(lists, workspace, new Set());
  return { removals: candidates.filter(({ object }) => owners.isOurs(engineOf(object.metadata))), unasked };
}

function isCandidate(object: KubernetesObject, files: ReadonlySet<string>): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined || engineOf(metadata) === undefined) return false;
  return !isProtectedFromPruning(object) && !files.has(fileName(object));
}
