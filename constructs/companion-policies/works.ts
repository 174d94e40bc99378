import {
  isCreate,
  isUpdate,
  ofCreate,
  ofUpdate,
  onlyNewOwner,
  ownerVariables,
  sameMetadata,
  textOf,
  type ConfinedCompanion,
  type PolicyContent,
} from './policy.ts';
import { workGroup } from '../../schemas/groups.ts';
import { hookResources } from '../../src/ocm/hook-work.ts';
import { deletedByAnnotation, deletedByCompanion } from '../../src/ocm/fleetwright-annotations.ts';
import { addOnNamespaceLabel } from '../../src/ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../src/ocm/labels.ts';

const addOnOf = (object: string): string => textOf(object, 'labels', addOnNameLabel);
const hostedFor = (object: string): string => textOf(object, 'labels', addOnNamespaceLabel);
/** As `hookWorkName`. */
const isHookWork = (object: string): string =>
  `${object}.metadata.name == 'addon-' + ${addOnOf(object)} + '-pre-delete' + (${hostedFor(object)} == '' ? '' : '-hosting-' + ${hostedFor(object)})`;
/** As `leftToCompanion`: Git leaves the deletion to the companion. */
const isLeftToCompanion = [
  `${textOf('oldObject', 'annotations', deletedByAnnotation)} == '${deletedByCompanion}'`,
  `${hostedFor('oldObject')} != ''`,
  `oldObject.metadata.name.startsWith('addon-' + ${addOnOf('oldObject')} + '-deploy-hosting-' + ${hostedFor('oldObject')} + '-')`,
].join(' && ');

/**
 * The owner of ManifestWorks, and the works of pre-delete hooks. Without hooks, the permission to delete works is only there for API
 * servers that ask for it to write owners.
 */
export function works({ preDeleteHooks }: Pick<ConfinedCompanion, 'preDeleteHooks'>): PolicyContent {
  return {
    group: workGroup,
    version: 'v1',
    resources: ['manifestworks'],
    operations: preDeleteHooks ? ['CREATE', 'UPDATE', 'DELETE'] : ['UPDATE', 'DELETE'],
    variables: ownerVariables,
    checks: {
      ...(preDeleteHooks
        ? {
            'only ManifestWorks of pre-delete hooks are created': ofCreate(
              `${isHookWork('object')} && ${onlyHooks}`,
            ),
            'ManifestWorks of pre-delete hooks are owned by the ManagedClusterAddOn, or name its cluster in another namespace':
              ofCreate(`${hostedFor('object')} == '' ? ${isOwned} : ${isElsewhere}`),
            'only ManifestWorks of pre-delete hooks, and those that Git leaves to the companion, are deleted': `${isCreate} || ${isUpdate} || ${isHookWork('oldObject')} || (${isLeftToCompanion})`,
          }
        : { 'ManifestWorks are not deleted': isUpdate }),
      'of ManifestWorks only the owners change': ofUpdate(`object.spec == oldObject.spec && ${sameMetadata}`),
      ...onlyNewOwner('ManagedClusterAddOn', addOnOf('object')),
    },
  };
}

const onlyHooks = `object.spec.workload.manifests.all(manifest, manifest.kind in ${JSON.stringify([...hookResources.keys()])})`;
const isOwned = `(variables.owners.size() == 1 && variables.owners.all(owner, owner.kind == 'ManagedClusterAddOn' && owner.name == ${addOnOf('object')}))`;
const isElsewhere = `(variables.owners.size() == 0 && ${hostedFor('object')} != object.metadata.namespace)`;
