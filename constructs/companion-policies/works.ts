import {
  isUpdate,
  ofUpdate,
  onlyNewOwner,
  ownerVariables,
  sameMetadata,
  textOf,
  type PolicyContent,
} from './policy.ts';
import { workGroup } from '../../schemas/groups.ts';
import { addOnNameLabel } from '../../ocm/labels.ts';

/** The owner of ManifestWorks. The permission to delete them is only there for API servers that ask for it to write owners. */
export const works: PolicyContent = {
  group: workGroup,
  version: 'v1',
  resources: ['manifestworks'],
  operations: ['UPDATE', 'DELETE'],
  variables: ownerVariables,
  checks: {
    'ManifestWorks are not deleted': isUpdate,
    'of ManifestWorks only the owners change': ofUpdate(`object.spec == oldObject.spec && ${sameMetadata}`),
    ...onlyNewOwner('ManagedClusterAddOn', textOf('object', 'labels', addOnNameLabel)),
  },
};
