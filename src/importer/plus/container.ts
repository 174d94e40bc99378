import { literal, object, plain, unlessEmptyObject, type Expression } from '../code/expression.ts';
import { envSources, envVariables } from './env.ts';
import type { Container, SecurityContext } from './manifests.ts';
import { probe } from './probe.ts';
import { resourceProps } from './resources.ts';
import { protocols } from './service.ts';
import type { Volumes } from './volume.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { allOf, enumValue, hasOthers, isExpressible, unlessDefault, type FieldCode } from './field-code.ts';

const pullPolicies = { Always: 'ALWAYS', IfNotPresent: 'IF_NOT_PRESENT', Never: 'NEVER' };

const supportedFields = [
  'args',
  'command',
  'env',
  'envFrom',
  'image',
  'imagePullPolicy',
  'livenessProbe',
  'name',
  'ports',
  'readinessProbe',
  'resources',
  'securityContext',
  'startupProbe',
  'volumeMounts',
  'workingDir',
];

/** Returns a container for constructs of cdk8s-plus; undefined if they cannot express it. */
export function containerProps(
  container: Container,
  volumes: Volumes,
  scope: WorkloadScope,
): Expression | undefined {
  if (hasOthers(container, ...supportedFields) || container.image === undefined) return undefined;
  const pullPolicy = enumValue('ImagePullPolicy', pullPolicies, container.imagePullPolicy, 'Always');
  const resources = resourceProps(container.resources);
  const security = securityProps(container.securityContext ?? {});
  const variables = envVariables(container.env ?? [], scope);
  const sources = envSources(container.envFrom, scope);
  const ports = portsProps(container, scope);
  const mounts = mountsProps(container, volumes, scope);
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe];
  const [liveness, readiness, startup] = probes.map(
    (settings): FieldCode => settings && (probe(settings, scope) ?? 'inexpressible'),
  );
  const values = {
    pullPolicy,
    resources,
    security,
    variables,
    sources,
    ports,
    mounts,
    liveness,
    readiness,
    startup,
  };
  if (!areExpressible(values)) return undefined;
  const texts = (strings: readonly string[] | undefined) =>
    strings && plain(strings, undefined, (value) => scope.text(value));
  return object({
    name: container.name === 'main' ? undefined : scope.text(container.name),
    image: scope.text(container.image),
    imagePullPolicy: values.pullPolicy,
    command: texts(container.command),
    args: texts(container.args),
    workingDir: container.workingDir === undefined ? undefined : scope.text(container.workingDir),
    envVariables: values.variables,
    envFrom: values.sources,
    ports: values.ports,
    resources: values.resources,
    securityContext: values.security,
    volumeMounts: values.mounts,
    liveness: values.liveness,
    readiness: values.readiness,
    startup: values.startup,
  });
}

function areExpressible<K extends string>(
  values: Record<K, FieldCode>,
): values is Record<K, Expression | undefined> {
  return Object.values<FieldCode>(values).every(isExpressible);
}

function portsProps({ ports }: Container, scope: WorkloadScope): FieldCode {
  return allOf(ports, (port) => {
    const protocol = enumValue('Protocol', protocols, port.protocol);
    if (hasOthers(port, 'containerPort', 'name', 'protocol', 'hostPort') || !isExpressible(protocol))
      return undefined;
    return object({
      number: literal(port.containerPort),
      name: port.name === undefined ? undefined : scope.text(port.name),
      protocol,
      hostPort: unlessDefault(port.hostPort),
    });
  });
}

function mountsProps({ volumeMounts }: Container, volumes: Volumes, scope: WorkloadScope): FieldCode {
  return allOf(volumeMounts, (mount) => {
    const volume = volumes.mounted(mount.name);
    if (volume === undefined || hasOthers(mount, 'name', 'mountPath', 'readOnly', 'subPath'))
      return undefined;
    return object({
      path: scope.text(mount.mountPath),
      volume,
      readOnly: unlessDefault(mount.readOnly),
      subPath: mount.subPath === undefined ? undefined : scope.text(mount.subPath),
    });
  });
}

function securityProps(context: SecurityContext): FieldCode {
  const fields = [
    'allowPrivilegeEscalation',
    'privileged',
    'readOnlyRootFilesystem',
    'runAsGroup',
    'runAsNonRoot',
    'runAsUser',
  ];
  if (hasOthers(context, ...fields)) return 'inexpressible';
  return unlessEmptyObject(
    object({
      ensureNonRoot: unlessDefault(context.runAsNonRoot, true),
      user: unlessDefault(context.runAsUser),
      group: unlessDefault(context.runAsGroup),
      privileged: unlessDefault(context.privileged, false),
      allowPrivilegeEscalation: unlessDefault(context.allowPrivilegeEscalation, false),
      readOnlyRootFilesystem: unlessDefault(context.readOnlyRootFilesystem, true),
    }),
  );
}
