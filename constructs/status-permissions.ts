import { addOnGroup, clusterGroup, workGroup } from '../schemas/groups.ts';
import { rule, type PolicyRule } from './companion-permissions.ts';

/** The optional permissions of `controller status`. */
export interface StatusDuties {
  /** Kinds of configuration other than OCM's. */
  readonly configKinds: readonly { readonly group: string; readonly resource: string }[];
  /** Whether it writes Events. */
  readonly events: boolean;
}

/** The permissions that `controller status` needs in all namespaces, and no others. */
export function statusRules({ configKinds, events }: StatusDuties): readonly PolicyRule[] {
  return [
    rule(addOnGroup, ['addondeploymentconfigs', 'addontemplates', 'clustermanagementaddons'], ['list']),
    // An Event names the uid of its object.
    rule(addOnGroup, ['managedclusteraddons'], [...(events ? ['get'] : []), 'list']),
    rule(
      clusterGroup,
      [
        'addonplacementscores',
        'managedclusters',
        'managedclustersetbindings',
        'managedclustersets',
        'placementdecisions',
        'placements',
      ],
      ['list'],
    ),
    // The details of add-ons that are not as predicted.
    rule(workGroup, ['manifestworks'], ['list']),
    rule('certificates.k8s.io', ['certificatesigningrequests'], ['list']),
    rule('', ['namespaces'], ['list']),
    ...configKinds.map(({ group, resource }) => rule(group, [resource], ['get'])),
    ...(events ? [rule('', ['events'], ['create', 'patch'])] : []),
  ];
}
