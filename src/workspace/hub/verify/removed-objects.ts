import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { fileName } from '../../../compiler/emit/file-name.ts';
import { isProtectedFromPruning } from '../../../compiler/status/left/left-objects.ts';
import type { Unasked } from '../../../compiler/verify/index.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import { objectKey } from '../../../compiler/index.ts';
import type { Resource } from '../../../client/resource.ts';
import { resourceOf } from '../../../ocm/resource.ts';
import { engineOf } from '../../../ocm/writer.ts';
import { outputFileNames } from '../../output/output-objects.ts';
import type { Workspace } from '../../workspace.ts';
import { EngineOwners, type AppliedObject } from '../engine-owners.ts';
import { listingOnce } from '../hub-lists.ts';
import type { HubReader } from '../hub-reader.ts';
import { unlessForbidden } from '../unless-forbidden.ts';
import { grant } from './permission-rule.ts';
import { ruleOf } from './served-kinds.ts';
import type { RemovedObject } from './verify-objects.ts';

/** The kinds of OCM that synth writes, and that the engines prune. An engine elsewhere has no inventory on the hub. */
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
 * delete: those of OCM's kinds by their marks, and those of all kinds in the inventories of engines on the hub.
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
  const unread = new Set<string>();
  const owners = await EngineOwners.read(lists, workspace, unread);
  for (const what of unread)
    unasked.push({
      what: `removals of kinds that are not OCM's, by ${what}`,
      why: 'the user may not read them',
      remedy: engineRemedy,
    });
  const removals = candidates.filter(({ object }) => owners.isOurs(engineOf(object.metadata)));
  const kinds = new Map<string, Promise<readonly Resource[]>>();
  const kindsOf = async (group: string): Promise<readonly Resource[]> =>
    await getOrInsertComputed(kinds, group, async () => await reader.resourcesOf(group));
  const listed = new Set(removals.map(({ object }) => fileName(object)));
  for (const applied of owners.applied) {
    const file = fileName(applied);
    if (files.has(file) || listed.has(file) || isListed(applied)) continue;
    listed.add(file);
    const removal = await appliedObject({ reader, kindsOf }, applied, unasked);
    if (removal !== undefined) removals.push(removal);
  }
  return { removals, unasked };
}

const engineRemedy = [
  grant({ group: 'argoproj.io', resource: 'applications', verbs: ['list'] }),
  grant({ group: 'kustomize.toolkit.fluxcd.io', resource: 'kustomizations', verbs: ['list'] }),
].join(', or ');

/** Whether an object is of a kind that was listed. */
function isListed({ apiVersion, kind }: AppliedObject): boolean {
  return prunedKinds.some((each) => each.kind === kind && groupOf(each.apiVersion) === groupOf(apiVersion));
}

/** Returns an object of the inventory of an engine, unless it is gone, leaves, or is protected from pruning. */
async function appliedObject(
  {
    reader,
    kindsOf,
  }: { readonly reader: HubReader; readonly kindsOf: (group: string) => Promise<readonly Resource[]> },
  { apiVersion, kind, metadata }: AppliedObject,
  unasked: Unasked[],
): Promise<RemovedObject | undefined> {
  const resource = (await kindsOf(groupOf(apiVersion))).find((each) => each.kind === kind);
  if (resource === undefined) return undefined;
  const object = await unlessForbidden(reader.get(resource, metadata), () =>
    unasked.push({
      what: `removal of ${kind} ${objectKey(metadata.namespace, metadata.name)}`,
      why: `the user may not get ${resource.plural}`,
      remedy: grant({ ...ruleOf(resource), verbs: ['get', 'delete'] }, metadata.namespace),
    }),
  );
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return undefined;
  return isProtectedFromPruning(object) ? undefined : { resource, object };
}

function isCandidate(object: KubernetesObject, files: ReadonlySet<string>): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined || engineOf(metadata) === undefined) return false;
  return !isProtectedFromPruning(object) && !files.has(fileName(object));
}
