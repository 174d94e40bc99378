import { list, object, unlessEmptyObject, type Expression } from '../code/expression.ts';
import type { Props } from './props.ts';
import { containerProps } from './container.ts';
import { secretOf, serviceAccountOf } from './named-objects.ts';
import type { PodSecurityContext, PodSpec } from './manifests.ts';
import { Volumes } from './volume.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { enumValue, hasOthers, isExpressible, seconds, unlessDefault } from './field-code.ts';

const restartPolicies = { Always: 'ALWAYS', OnFailure: 'ON_FAILURE', Never: 'NEVER' };

const dnsPolicies = {
  ClusterFirst: 'CLUSTER_FIRST',
  ClusterFirstWithHostNet: 'CLUSTER_FIRST_WITH_HOST_NET',
  Default: 'DEFAULT',
};

const supportedFields = [
  'automountServiceAccountToken',
  'containers',
  'dnsPolicy',
  'hostNetwork',
  'hostname',
  'imagePullSecrets',
  'initContainers',
  'restartPolicy',
  'securityContext',
  'serviceAccountName',
  'setHostnameAsFQDN',
  'subdomain',
  'terminationGracePeriodSeconds',
  'volumes',
];

/** Returns the pod props of cdk8s-plus constructs. */
export function podProps(spec: PodSpec, restartPolicy: string, scope: WorkloadScope): Props | undefined {
  if (hasOthers(spec, ...supportedFields)) return undefined;
  const restart = enumValue('RestartPolicy', restartPolicies, spec.restartPolicy, restartPolicy);
  const dnsPolicy = enumValue('DnsPolicy', dnsPolicies, spec.dnsPolicy, 'ClusterFirst');
  const security = podSecurity(spec.securityContext ?? {});
  const volumes = new Volumes(spec, scope);
  const containers = containersOf(spec.containers, volumes, scope);
  const initContainers = containersOf(spec.initContainers ?? [], volumes, scope);
  const unmounted = volumes.unmounted();
  const isExpressed = isExpressible(restart) && isExpressible(dnsPolicy) && isExpressible(security);
  if (!isExpressed || containers === undefined || initContainers === undefined || unmounted === undefined)
    return undefined;
  const [pullSecret, ...moreSecrets] = spec.imagePullSecrets ?? [];
  if (moreSecrets.length > 0) return undefined;
  const text = (value: string | undefined) => (value === undefined ? undefined : scope.text(value));
  return {
    serviceAccount:
      spec.serviceAccountName === undefined ? undefined : serviceAccountOf(spec.serviceAccountName, scope),
    automountServiceAccountToken: unlessDefault(spec.automountServiceAccountToken, false),
    restartPolicy: restart,
    securityContext: security,
    hostNetwork: unlessDefault(spec.hostNetwork, false),
    dns: unlessEmptyObject(
      object({
        policy: dnsPolicy,
        hostname: text(spec.hostname),
        subdomain: text(spec.subdomain),
        hostnameAsFQDN: unlessDefault(spec.setHostnameAsFQDN, false),
      }),
    ),
    dockerRegistryAuth: pullSecret?.name === undefined ? undefined : secretOf(pullSecret.name, scope),
    terminationGracePeriod: seconds(spec.terminationGracePeriodSeconds, 30),
    initContainers: initContainers.length === 0 ? undefined : list(initContainers),
    containers: list(containers),
    volumes: unmounted.length === 0 ? undefined : list(unmounted),
  };
}

function containersOf(
  containers: PodSpec['containers'],
  volumes: Volumes,
  scope: WorkloadScope,
): Expression[] | undefined {
  const props = containers.map((container) => containerProps(container, volumes, scope));
  return props.every((container) => container !== undefined) ? props : undefined;
}

const changePolicies = { Always: 'ALWAYS', OnRootMismatch: 'ON_ROOT_MISMATCH' };

function podSecurity(context: PodSecurityContext): Expression | 'inexpressible' | undefined {
  const policy = enumValue('FsGroupChangePolicy', changePolicies, context.fsGroupChangePolicy, 'Always');
  const fields = ['runAsNonRoot', 'fsGroupChangePolicy', 'runAsUser', 'runAsGroup', 'fsGroup'];
  if (hasOthers(context, ...fields) || !isExpressible(policy)) return 'inexpressible';
  return unlessEmptyObject(
    object({
      ensureNonRoot: unlessDefault(context.runAsNonRoot, true),
      user: unlessDefault(context.runAsUser),
      group: unlessDefault(context.runAsGroup),
      fsGroup: unlessDefault(context.fsGroup),
      fsGroupChangePolicy: policy,
    }),
  );
}
