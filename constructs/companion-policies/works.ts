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
import { hookResources } from '../../ocm/hook-work.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';

const addOnOf = (object: string): string => textOf(object, 'labels', addOnNameLabel);
/** As `hookWorkName`. */
const isHookWork = (object: string): string =>
  `${object}.metadata.name == 'addon-' + ${addOnOf(object)} + '-pre-delete'`;

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
            'ManifestWorks of pre-delete hooks are owned by the ManagedClusterAddOn': ofCreate(isOwned),
            'only ManifestWorks of pre-delete hooks are deleted': `${isCreate} || ${isUpdate} || ${isHookWork('oldObject')}`,
          }
        : { 'ManifestWorks are not deleted': isUpdate }),
      'of ManifestWorks only the owners change': ofUpdate(`object.spec == oldObject.spec && ${sameMetadata}`),
      ...onlyNewOwner('ManagedClusterAddOn', addOnOf('object')),
    },
  };
}

const onlyHooks = `object.spec.workload.manifests.all(manifest, manifest.kind in ${JSON.stringify([...hookResources.keys()])})`;
const isOwned = `variables.owners.size() == 1 && variables.owners.all(owner, owner.kind == 'ManagedClusterAddOn' && owner.name == ${addOnOf('object')})`;
