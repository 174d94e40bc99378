import { invalid, type FieldFault } from './field-fault.ts';
import type { Struct } from './struct.ts';
import { rangeError } from './values.ts';

const largestId = 2 ** 31 - 1;

/** As ValidateSecurityContext: users, groups and privileges of a container. Profiles and Windows are not checked. */
export function securityFaults(context: Struct | undefined): readonly FieldFault[] {
  if (context === undefined) return [];
  const isUnprivileged = context.value('allowPrivilegeEscalation') === false;
  const added = context.embedded('capabilities').texts('add');
  return [
    ...idFaults(context, ['runAsUser', 'runAsGroup']),
    ...(isUnprivileged && context.isTrue('privileged')
      ? [
          invalid(
            context.field,
            context.fields,
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : []),
    ...(isUnprivileged && added.includes('CAP_SYS_ADMIN')
      ? [
          invalid(
            context.field,
            context.fields,
            'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
          ),
        ]
      : []),
  ];
}

/** As validatePodSpecSecurityContext: users and groups of a pod. */
export function podSecurityFaults(pod: Struct): readonly FieldFault[] {
  const context = pod.embedded('securityContext');
  const isShared = pod.isTrue('shareProcessNamespace') && pod.isTrue('hostPID');
  return [
    ...idFaults(context, ['fsGroup', 'runAsUser', 'runAsGroup']),
    ...(isShared
      ? [
          invalid(
            // the API server keeps the field in the security context
            pod.field.child('securityContext.shareProcessNamespace', ['shareProcessNamespace']),
            true,
            'ShareProcessNamespace and HostPID cannot both be enabled',
          ),
        ]
      : []),
  ];
}

/** As validation.IsValidUserID and IsValidGroupID. */
function idFaults(context: Struct, names: readonly string[]): readonly FieldFault[] {
  return names.flatMap((name) => {
    const id = context.integer(name);
    if (id === undefined || (id >= 0 && id <= largestId)) return [];
    return [invalid(context.at(name), id, rangeError(0, largestId))];
  });
}
