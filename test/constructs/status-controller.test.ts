import { describe, expect, test } from 'vitest';
import { StatusController, type StatusControllerProps } from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { objectsOf } from './in-chart.ts';

const image = 'registry.example.com/fleetwright:0.1.0';

function status(props: Partial<StatusControllerProps> = {}): KubernetesObject[] {
  return objectsOf((chart) => new StatusController(chart, 'status', { image, namespace: 'ocm', ...props }));
}

const names = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].filter(Boolean).join(' '));

const contentOf = (objects: readonly KubernetesObject[], kind: string): Record<string, unknown> => {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return { ...found };
};

/** `verbs resource.group` for each rule. */
function allowed(objects: readonly KubernetesObject[]): readonly string[] {
  return (contentOf(objects, 'ClusterRole')['rules'] as Record<string, readonly string[]>[]).flatMap(
    ({ apiGroups = [], resources = [], verbs = [] }) =>
      resources.map((resource) => `${verbs.join(' ')} ${resource}.${apiGroups[0]}`),
  );
}

describe('a status controller', () => {
  test('has the objects that it needs', () => {
    expect(names(status())).toEqual([
      'ServiceAccount ocm status',
      'ClusterRole status',
      'ClusterRoleBinding status',
      'Deployment ocm status',
      'NetworkPolicy ocm status',
      'Service ocm status',
    ]);
  });

  test('may only list by default', () => {
    expect(allowed(status())).toEqual([
      'list addondeploymentconfigs.addon.open-cluster-management.io',
      'list addontemplates.addon.open-cluster-management.io',
      'list clustermanagementaddons.addon.open-cluster-management.io',
      'list managedclusteraddons.addon.open-cluster-management.io',
      'list addonplacementscores.cluster.open-cluster-management.io',
      'list managedclusters.cluster.open-cluster-management.io',
      'list managedclustersetbindings.cluster.open-cluster-management.io',
      'list managedclustersets.cluster.open-cluster-management.io',
      'list placementdecisions.cluster.open-cluster-management.io',
      'list placements.cluster.open-cluster-management.io',
      'list manifestworks.work.open-cluster-management.io',
      'list certificatesigningrequests.certificates.k8s.io',
      'list namespaces.',
    ]);
  });

  test('may write Events if they are enabled, and a policy limits them to its own', () => {
    const objects = status({ events: true });
    const added = allowed(objects).filter((rule) => !allowed(status()).includes(rule));
    expect(added).toEqual([
      'get list managedclusteraddons.addon.open-cluster-management.io',
      'create patch events.',
    ]);
    expect(names(objects)).toContain('ValidatingAdmissionPolicy status-events');
    expect(names(objects)).toContain('ValidatingAdmissionPolicyBinding status-events');
    expect(JSON.stringify(contentOf(objects, 'ValidatingAdmissionPolicy'))).toContain(
      "request.userInfo.username == 'system:serviceaccount:ocm:status'",
    );
    expect(names(status({ events: true, admissionPolicies: false }))).toEqual(names(status()));
  });

  test('reads the kinds of configurations that are named', () => {
    expect(allowed(status({ configKinds: [{ group: 'example.com', resource: 'exporters' }] }))).toContain(
      'get exporters.example.com',
    );
  });

  test('runs in one restricted pod', () => {
    const { replicas, template } = contentOf(
      status({ events: true, options: ['--interval=5m'] }),
      'Deployment',
    )['spec'] as { replicas: number; template: { spec: { containers: readonly object[] } } };
    expect(replicas).toBe(1);
    expect(template.spec).toMatchObject({
      serviceAccountName: 'status',
      securityContext: { runAsNonRoot: true },
      containers: [
        {
          image,
          args: ['controller', 'status', '--events', '--interval=5m'],
          readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
          resources: { limits: { memory: '1Gi' } },
          securityContext: { readOnlyRootFilesystem: true },
        },
      ],
    });
  });

  test('refuses Secrets, and an option that the permissions do not follow', () => {
    expect(() => status({ configKinds: [{ group: '', resource: 'secrets' }] })).toThrow(
      'status reads no Secrets: remove them from configKinds',
    );
    expect(() => status({ options: ['--events'] })).toThrow(
      'write events: true instead of the option --events',
    );
  });
});
