import { invalid, type FieldFault } from './field-fault.ts';
import { GoStruct } from './go-struct.ts';
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
            printedContext(context),
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : []),
    ...(isUnprivileged && added.includes('CAP_SYS_ADMIN')
      ? [
          invalid(
            context.field,
            printedContext(context),
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

/** As core.SecurityContext. */
function printedContext(context: Struct): GoStruct {
  const nested = (name: string, fields: (struct: Struct) => Readonly<Record<string, unknown>>): unknown => {
    const struct = context.struct(name);
    return struct && new GoStruct(fields(struct));
  };
  const profile = (struct: Struct): Readonly<Record<string, unknown>> => ({
    Type: struct.text('type'),
    LocalhostProfile: struct.value('localhostProfile'),
  });
  return new GoStruct({
    Capabilities: nested('capabilities', (struct) => ({
      Add: struct.value('add'),
      Drop: struct.value('drop'),
    })),
    Privileged: context.value('privileged'),
    SELinuxOptions: nested('seLinuxOptions', (struct) => ({
      User: struct.text('user'),
      Role: struct.text('role'),
      Type: struct.text('type'),
      Level: struct.text('level'),
    })),
    WindowsOptions: nested('windowsOptions', (struct) => ({
      GMSACredentialSpecName: struct.value('gmsaCredentialSpecName'),
      GMSACredentialSpec: struct.value('gmsaCredentialSpec'),
      RunAsUserName: struct.value('runAsUserName'),
      HostProcess: struct.value('hostProcess'),
    })),
    RunAsUser: context.value('runAsUser'),
    RunAsGroup: context.value('runAsGroup'),
    RunAsNonRoot: context.value('runAsNonRoot'),
    ReadOnlyRootFilesystem: context.value('readOnlyRootFilesystem'),
    AllowPrivilegeEscalation: context.value('allowPrivilegeEscalation'),
    ProcMount: context.value('procMount'),
    SeccompProfile: nested('seccompProfile', profile),
    AppArmorProfile: nested('appArmorProfile', profile),
  });
}
