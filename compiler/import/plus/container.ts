import {
  call,
  create,
  list,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
} from '../expression.ts';
import { configMapOf, secretOf } from './elsewhere.ts';
import type { Container, EnvSource, EnvVariable, Resources, SecurityContext } from './manifests.ts';
import { probe } from './probe.ts';
import { protocols } from './service.ts';
import type { Volumes } from './volume.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { enumValue, hasOthers, isSayable, kplus, unlessDefault } from './written.ts';

const pullPolicies = { Always: 'ALWAYS', IfNotPresent: 'IF_NOT_PRESENT', Never: 'NEVER' };

const known = [
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

/** A container as constructs of cdk8s-plus take it; undefined where they cannot say it. */
export function containerProps(
  container: Container,
  volumes: Volumes,
  scope: WorkloadScope,
): Expression | undefined {
  if (hasOthers(container, ...known) || container.image === undefined) return undefined;
  const pullPolicy = enumValue('ImagePullPolicy', pullPolicies, container.imagePullPolicy, 'Always');
  const resources = resourceProps(container.resources);
  const security = securityProps(container.securityContext ?? {});
  const variables = envProps(container.env ?? [], scope);
  const sources = allOf(container.envFrom, (source) => envSource(source, scope));
  const ports = portsProps(container, scope);
  const mounts = mountsProps(container, volumes, scope);
  const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe];
  const [liveness, readiness, startup] = probes.map(
    (given): Written => given && (probe(given, scope) ?? 'unsayable'),
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
  if (!areSayable(values)) return undefined;
  const texts = (given: readonly string[] | undefined) =>
    given && plain(given, undefined, (value) => scope.text(value));
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

type Written = Expression | 'unsayable' | undefined;

function areSayable<K extends string>(
  values: Record<K, Written>,
): values is Record<K, Expression | undefined> {
  return Object.values<Written>(values).every(isSayable);
}

function allOf<T>(items: readonly T[] | undefined, write: (item: T) => Expression | undefined): Written {
  if (items === undefined || items.length === 0) return undefined;
  const written = items.map(write);
  return written.every((item) => item !== undefined) ? list(written) : 'unsayable';
}

function portsProps({ ports }: Container, scope: WorkloadScope): Written {
  return allOf(ports, (port) => {
    const protocol = enumValue('Protocol', protocols, port.protocol);
    if (hasOthers(port, 'containerPort', 'name', 'protocol', 'hostPort') || !isSayable(protocol))
      return undefined;
    return object({
      number: literal(port.containerPort),
      name: port.name === undefined ? undefined : scope.text(port.name),
      protocol,
      hostPort: unlessDefault(port.hostPort),
    });
  });
}

function mountsProps({ volumeMounts }: Container, volumes: Volumes, scope: WorkloadScope): Written {
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

const fieldPaths: Readonly<Record<string, string>> = {
  'metadata.name': 'POD_NAME',
  'metadata.namespace': 'POD_NAMESPACE',
  'metadata.uid': 'POD_UID',
  'status.podIP': 'POD_IP',
  'spec.serviceAccountName': 'SERVICE_ACCOUNT_NAME',
  'spec.nodeName': 'NODE_NAME',
  'status.hostIP': 'NODE_IP',
  'status.podIPs': 'POD_IPS',
};

function envProps(variables: readonly EnvVariable[], scope: WorkloadScope): Written {
  const written = variables.map((variable) => [variable.name, envValue(variable, scope)] as const);
  if (written.some(([, value]) => value === undefined)) return 'unsayable';
  return written.length === 0 ? undefined : object(Object.fromEntries(written));
}

function envValue({ value, valueFrom }: EnvVariable, scope: WorkloadScope): Expression | undefined {
  const from = (method: string, ...args: readonly (Expression | undefined)[]) =>
    call(kplus('EnvValue'), method, ...args);
  if (value !== undefined) return from('fromValue', scope.text(value));
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  if (fieldRef !== undefined) {
    const path = fieldPaths[fieldRef.fieldPath];
    return path === undefined ? undefined : from('fromFieldRef', kplus('EnvFieldPaths', path));
  }
  const options = (optional: boolean | undefined) =>
    unlessEmptyObject(object({ optional: unlessDefault(optional) }));
  if (configMapKeyRef?.name !== undefined) {
    const { name: source, key, optional } = configMapKeyRef;
    return from('fromConfigMap', configMapOf(source, scope), scope.text(key), options(optional));
  }
  if (secretKeyRef?.name === undefined) return undefined;
  const { name: source, key, optional } = secretKeyRef;
  const secret = object({ secret: secretOf(source, scope), key: scope.text(key) });
  return from('fromSecretValue', secret, options(optional));
}

function envSource(
  { prefix, configMapRef, secretRef }: EnvSource,
  scope: WorkloadScope,
): Expression | undefined {
  if (configMapRef?.name !== undefined) {
    const source = configMapOf(configMapRef.name, scope);
    return create(kplus('EnvFrom'), source, prefix === undefined ? undefined : scope.text(prefix));
  }
  if (secretRef?.name === undefined || prefix !== undefined) return undefined;
  return call(kplus('Env'), 'fromSecret', secretOf(secretRef.name, scope));
}

function resourceProps(resources: Resources | undefined): Written {
  const { limits = {}, requests = {} } = resources ?? {};
  if (hasOthers({ ...limits, ...requests }, 'cpu', 'memory')) return 'unsayable';
  const cpu = bounds(requests['cpu'], limits['cpu'], cpuAmount);
  const memory = bounds(requests['memory'], limits['memory'], memoryAmount);
  return isSayable(cpu) && isSayable(memory) ? object({ cpu, memory }) : 'unsayable';
}

type Amount = string | number | undefined;

function bounds(request: Amount, limit: Amount, amount: (text: string) => Expression | undefined): Written {
  const written = (given: Amount): Written =>
    given === undefined ? undefined : (amount(String(given)) ?? 'unsayable');
  const [least, most] = [written(request), written(limit)];
  if (!isSayable(least) || !isSayable(most)) return 'unsayable';
  return unlessEmptyObject(object({ request: least, limit: most }));
}

function cpuAmount(text: string): Expression | undefined {
  const [, digits, unit] = /^([1-9]\d{0,8})(m?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return call(kplus('Cpu'), unit === 'm' ? 'millis' : 'units', literal(Number(digits)));
}

function memoryAmount(text: string): Expression | undefined {
  const [, digits] = /^([1-9]\d{0,8})Mi$/.exec(text) ?? [];
  return digits === undefined ? undefined : call(name('Size'), 'mebibytes', literal(Number(digits)));
}

function securityProps(context: SecurityContext): Written {
  const fields = [
    'allowPrivilegeEscalation',
    'privileged',
    'readOnlyRootFilesystem',
    'runAsGroup',
    'runAsNonRoot',
    'runAsUser',
  ];
  if (hasOthers(context, ...fields)) return 'unsayable';
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
