import { compareUtf8 } from '../../../base/json/go-json.ts';
import { namespacedResource, type Resource } from '../../../client/resource.ts';
import type { Resolution } from '../../../compiler/index.ts';
import {
  compareRendered,
  compareRenderedObject,
  differentObject,
  renderedObject,
  type ComparedNames,
  type RenderedObject,
  type Unasked,
  type WaitingClusters,
} from '../../../compiler/verify/index.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import { resourceOf } from '../../../ocm/resource.ts';
import type { HubReader } from '../hub-reader.ts';
import { unlessForbidden } from '../unless-forbidden.ts';
import { inParallel } from './in-parallel.ts';
import { grant } from './permission-rule.ts';
import { ruleOf } from './served-kinds.ts';
import type { VerifiedPart } from './verify-placements.ts';

/** The kinds that the hub renders for add-ons. */
const renderedKinds: readonly Resource[] = [
  resourceOf(ocmKinds.manifestWork, 'v1'),
  namespacedResource('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'),
];
/** The number of different objects whose content is read. */
const mostContents = 100;

/**
 * Compares the works and permissions on a hub with the predicted ones. Only a hash of each is in memory, and the content of those that
 * differ.
 *
 * @param resolution - the prediction for the objects of the hub
 * @param waiting - the clusters that still have earlier works
 * @param names - the add-ons to compare. @default - all
 * @throws HubError if the hub cannot be read
 */
export async function verifyRendered(
  reader: HubReader,
  resolution: Resolution,
  waiting: WaitingClusters,
  names?: ComparedNames,
): Promise<VerifiedPart> {
  const unasked: Unasked[] = [];
  const rendered = new Map<string, readonly RenderedObject[] | undefined>();
  for (const resource of renderedKinds) {
    const { kind } = resource;
    // What is being deleted is not what the hub wants, and stays until an agent or a finalizer lets it go.
    const partOf = (object: KubernetesObject): RenderedObject | undefined =>
      object.metadata.deletionTimestamp === undefined
        ? renderedObject({ ...object, kind }, object.metadata.labels?.[addOnNameLabel] ?? '')
        : undefined;
    const parts = reader.listParts(resource, { labelSelector: addOnNameLabel }, partOf);
    const listed = await unlessForbidden(parts, () =>
      unasked.push({
        what: `${resource.plural} of add-ons`,
        why: 'the user may not list them',
        remedy: grant({ ...ruleOf(resource), verbs: ['get', 'list'] }),
      }),
    );
    rendered.set(
      kind,
      listed?.filter((part) => part !== undefined),
    );
  }
  const compared = compareRendered(resolution, waiting, rendered, names);
  const subjects = [...compared.equal, ...compared.surplus];
  await inParallel(compared.otherwise.slice(0, mostContents), async (otherwise) => {
    const { kind, metadata } = otherwise.predicted;
    const resource = renderedKinds.find((each) => each.kind === kind);
    const { name = '', namespace = '' } = metadata;
    const answered = resource && (await reader.get(resource, { name, namespace }));
    subjects.push(compareRenderedObject(otherwise, answered));
  });
  subjects.push(...compared.otherwise.slice(mostContents).map(differentObject));
  return {
    subjects: subjects.sort((a, b) => compareUtf8(a.subject, b.subject)),
    unasked,
  };
}
