import { describe, expect, test } from 'vitest';
import { findings } from '../check-fixture.ts';
import { configMap, fleet, object, strategy, templateAddOn, texts, work } from './cluster-fixture.ts';

const rbac = 'rbac.authorization.k8s.io';

const executor = {
  executor: {
    subject: { type: 'ServiceAccount', serviceAccount: { namespace: 'deploy', name: 'deployer' } },
  },
};

const rule = (resource: string, verbs = ['*'], rest: object = {}): object => ({
  apiGroups: ['*'],
  resources: [resource],
  verbs,
  ...rest,
});

const role = (name: string, namespace: string, ...rules: readonly object[]): object =>
  object(`${rbac}/v1`, namespace === '' ? 'ClusterRole' : 'Role', name, namespace, { rules });

const account = { kind: 'ServiceAccount', namespace: 'deploy', name: 'deployer' };

const bind = (roleRef: string, namespace = '', subject: object = account): object => {
  const [kind = '', name = ''] = roleRef.split(' ');
  return object(
    `${rbac}/v1`,
    namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
    `bind-${name}`,
    namespace,
    { roleRef: { apiGroup: rbac, kind, name }, subjects: [subject] },
  );
};

/** The findings about work `c1/w` of the executor, next to an add-on with manifests. */
function denials(
  code: string,
  manifests: readonly object[],
  delivered: readonly object[],
  spec: object = {},
): string[] {
  return texts(code, ...templateAddOn('roles', delivered), work(manifests, { ...executor, ...spec }));
}

const orphan = { deleteOption: { propagationPolicy: 'Orphan' } };

describe('FW8319', () => {
  const reader = role('reader', 'default', rule('configmaps', ['get', 'create']));
  test('verbs that no role of the executor allows, all objects of a resource together', () => {
    const delivered = [reader, bind('Role reader', 'default')];
    expect(denials('FW8319', [configMap('a'), configMap('b')], delivered)).toMatchInlineSnapshot(`
      [
        "warning: ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", may not "update", "patch" or "delete" ConfigMap default/a and 1 other object (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      allow "update", "patch" and "delete" of "configmaps" in namespace "default", in a role that is bound to the ServiceAccount; the update strategy does not count",
      ]
    `);
  });
  test('a role in another namespace does not count, one for the cluster does', () => {
    const writer = role('writer', 'other', rule('configmaps'));
    expect(denials('FW8319', [configMap('a')], [writer, bind('Role writer', 'other')])).toHaveLength(1);
    const everywhere = role('writer', '', rule('configmaps'));
    expect(denials('FW8319', [configMap('a')], [everywhere, bind('ClusterRole writer')])).toEqual([]);
    expect(denials('FW8319', [configMap('a')], [everywhere, bind('ClusterRole writer', 'default')])).toEqual(
      [],
    );
  });
  test('an object of the whole cluster needs a ClusterRoleBinding', () => {
    const namespace = object('v1', 'Namespace', 'shop');
    const delivered = [role('spaces', '', rule('namespaces')), bind('ClusterRole spaces', 'shop')];
    expect(denials('FW8319', [namespace], delivered)[0]).toMatchInlineSnapshot(`
      "warning: ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", may not write Namespace shop (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      allow "create", "update", "patch", "get" and "delete" of "namespaces" in a ClusterRole, and bind it with a ClusterRoleBinding; the update strategy does not count"
    `);
  });
  test('the update strategy does not count, and orphaned objects need no permission to delete', () => {
    const writer = role('writer', 'default', rule('configmaps', ['get', 'create', 'update', 'patch']));
    const delivered = [writer, bind('Role writer', 'default')];
    const readOnly = strategy('', 'configmaps', 'default', 'a', 'ReadOnly');
    expect(denials('FW8319', [configMap('a')], delivered, readOnly)[0]).toContain(
      'may not "delete" ConfigMap default/a',
    );
    expect(denials('FW8319', [configMap('a')], delivered, orphan)).toEqual([]);
  });
  test('the review has the name of the object, also to create it', () => {
    const named = role('named', 'default', rule('configmaps', ['*'], { resourceNames: ['a'] }));
    const delivered = [named, bind('Role named', 'default')];
    expect(denials('FW8319', [configMap('a')], delivered)).toEqual([]);
    expect(denials('FW8319', [configMap('b')], delivered)).toHaveLength(1);
  });
  test.each([
    ['cluster-admin', [configMap('a'), object('example.com/v1', 'Shop', 'a', 'default')], 0],
    ['admin', [configMap('a'), role('r', 'default', rule('pods', ['get']))], 1],
    ['edit', [configMap('a'), object('apps/v1', 'Deployment', 'a', 'default')], 0],
    ['edit', [role('r', 'default')], 1],
    ['view', [configMap('a')], 1],
  ])('ClusterRole %s of Kubernetes', (name, manifests, denied) => {
    expect(denials('FW8319', manifests, [bind(`ClusterRole ${name}`, 'default')])).toHaveLength(denied);
  });
  test('a ClusterRole gets the rules of those that it aggregates', () => {
    const aggregate = {
      ...role('all', ''),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'to-all': 'yes' } }] },
    };
    const part = (value: string): object => ({
      ...role('part', '', rule('configmaps')),
      metadata: { name: 'part', labels: { 'to-all': value } },
    });
    const delivered = [aggregate, bind('ClusterRole all')];
    expect(denials('FW8319', [configMap('a')], [...delivered, part('yes')])).toEqual([]);
    expect(denials('FW8319', [configMap('a')], [...delivered, part('no')])).toHaveLength(1);
  });
  test.each([
    ['User', { kind: 'User', name: 'system:serviceaccount:deploy:deployer' }, 0],
    ['its own namespace', { kind: 'ServiceAccount', name: 'deployer' }, 1],
  ])('subjects: %s', (_, subject, unknown) => {
    const delivered = [
      role('writer', 'default', rule('configmaps')),
      bind('Role writer', 'default', subject),
    ];
    expect(denials('FW8323', [configMap('a')], delivered)).toHaveLength(unknown);
    expect(denials('FW8319', [configMap('a')], delivered)).toEqual([]);
  });

  describe('roles and bindings', () => {
    const manage = rule('*', ['get', 'create', 'update', 'patch', 'delete'], { apiGroups: [rbac] });
    const delivered = (...rules: readonly object[]): object[] => [
      role('manager', '', manage, ...rules),
      bind('ClusterRole manager'),
      role('reader', 'default', rule('pods', ['get'])),
    ];
    test('a role with permissions that the executor does not have', () => {
      const written = role('r', 'default', rule('pods', ['get']));
      expect(denials('FW8319', [written], delivered())[0]).toMatchInlineSnapshot(`
        "warning: ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", may not write Role default/r: it does not have all permissions of the rules itself (1 cluster)
        ManifestWork w at spec.workload.manifests[0]
        allow "escalate" of "roles" in namespace "default", in a role that is bound to the ServiceAccount, or deliver the manifest in a work without an executor"
      `);
      expect(denials('FW8319', [written], delivered(rule('pods', ['get'])))).toEqual([]);
      expect(denials('FW8319', [written], delivered(rule('roles', ['escalate'])))).toEqual([]);
    });
    test('a binding of a role with permissions that the executor does not have', () => {
      const written = bind('Role reader', 'default', { kind: 'User', name: 'x' });
      expect(denials('FW8319', [written], delivered())[0]).toMatchInlineSnapshot(`
        "warning: ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", may not write RoleBinding default/bind-reader: it does not have all permissions of Role default/reader itself (1 cluster)
        ManifestWork w at spec.workload.manifests[0]
        allow "bind" of Role default/reader in namespace "default", in a role that is bound to the ServiceAccount, or deliver the manifest in a work without an executor"
      `);
      const named = rule('roles', ['bind'], { resourceNames: ['reader'] });
      expect(denials('FW8319', [written], delivered(named))).toEqual([]);
      const other = rule('roles', ['bind'], { resourceNames: ['other'] });
      expect(denials('FW8319', [written], delivered(other))).toHaveLength(1);
      const elsewhere = bind('Role elsewhere', 'default', { kind: 'User', name: 'x' });
      expect(denials('FW8319', [elsewhere], delivered())).toEqual([]);
    });
    test('the dry run has no name', () => {
      const named = [
        role('manager', '', rule('roles', ['*'], { resourceNames: ['r'] }), rule('roles', ['escalate'])),
        bind('ClusterRole manager'),
      ];
      expect(denials('FW8319', [role('r', 'default')], named)[0]).toContain(
        'may not "create" Role default/r: a rule with resourceNames does not allow it',
      );
    });
    test('only an administrator may aggregate', () => {
      const aggregate = { ...role('all', ''), aggregationRule: { clusterRoleSelectors: [{}] } };
      expect(denials('FW8319', [aggregate], delivered())[0]).toContain(
        'may not write ClusterRole all: only an administrator may write an aggregationRule',
      );
      expect(denials('FW8319', [aggregate], [bind('ClusterRole cluster-admin')])).toEqual([]);
    });
  });

  test('a work cannot grant permissions to its own executor', () => {
    const own = [role('writer', 'default', rule('*')), bind('Role writer', 'default'), configMap('a')];
    expect(texts('FW8319', work(own, executor))).toMatchInlineSnapshot(`
      [
        "warning: ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", may not write Role default/writer and 2 other objects: only manifests that are refused themselves allow it (1 cluster)
      ManifestWork w at spec.workload.manifests[0]
      deliver the roles and bindings of the ServiceAccount in a work without an executor",
      ]
    `);
    expect(texts('FW8323', work(own, executor))).toEqual([]);
    expect(texts('FW8319', work(own))).toEqual([]);
  });
  test('an executor that may bind grants itself more', () => {
    const own = [bind('Role writer', 'default'), configMap('a')];
    const delivered = [
      role('writer', 'default', rule('configmaps')),
      role('binder', 'default', rule('rolebindings'), rule('roles', ['bind'])),
      bind('Role binder', 'default'),
    ];
    expect(denials('FW8319', own, delivered)).toEqual([]);
  });
  test('the roles of a cluster count there only', () => {
    const set = {
      ...object('work.open-cluster-management.io/v1alpha1', 'ManifestWorkReplicaSet', 'set', 'default', {
        spec: {
          placementRefs: [{ name: 'pl' }],
          manifestWorkTemplate: { workload: { manifests: [configMap('a')] }, ...executor },
        },
      }),
    };
    const roles = [role('writer', 'default', rule('configmaps')), bind('Role writer', 'default')];
    expect(texts('FW8323', set, work(roles))).toMatchInlineSnapshot(`
      [
        "info: the permissions of ServiceAccount deploy/deployer, the executor of ManifestWorkReplicaSet "default/set", are not known: no manifest binds a role to it (1 cluster)
      ManifestWorkReplicaSet set at spec.manifestWorkTemplate.executor.subject.serviceAccount
      deliver its roles and bindings in a work without an executor, or list the ServiceAccount under external in fleetwright.yaml if the clusters grant its permissions",
      ]
    `);
    const weak = [role('writer', 'default', rule('pods')), bind('Role writer', 'default')];
    expect(texts('FW8319', set, work(weak))[0]).toContain('(1 cluster)');
    expect(texts('FW8319', set, work(weak))[0]).toContain(
      'ManifestWorkReplicaSet set at spec.manifestWorkTemplate.workload.manifests[0]',
    );
  });
});

describe('FW8323', () => {
  test('no manifest binds the ServiceAccount, unless external lists it', () => {
    const objects = [...fleet, work([configMap('a')], executor)];
    expect(texts('FW8323', work([configMap('a')], executor))).toMatchInlineSnapshot(`
      [
        "info: the permissions of ServiceAccount deploy/deployer, the executor of ManifestWork "c1/w", are not known: no manifest binds a role to it (1 cluster)
      ManifestWork w at spec.executor.subject.serviceAccount
      deliver its roles and bindings in a work without an executor, or list the ServiceAccount under external in fleetwright.yaml if the clusters grant its permissions",
      ]
    `);
    const external = [{ kind: 'ServiceAccount', namespace: 'deploy', name: 'deployer' }];
    const codes = findings(objects, '1.3', external).map(({ code }) => code);
    expect(codes).not.toContain('FW8323');
  });
  test('a role that no manifest contains', () => {
    expect(denials('FW8323', [configMap('a')], [bind('Role writer', 'default')])[0]).toContain(
      'no manifest contains "Role default/writer", which is bound to it',
    );
    expect(denials('FW8319', [configMap('a')], [bind('Role writer', 'default')])).toEqual([]);
  });
  test('a role that is only read grants nothing', () => {
    const readOnly = {
      manifestConfigs: [
        {
          resourceIdentifier: { group: rbac, resource: 'rolebindings', namespace: '*', name: '*' },
          updateStrategy: { type: 'ReadOnly' },
        },
      ],
    };
    const delivered = [role('writer', 'default', rule('configmaps')), bind('Role writer', 'default')];
    const other = { ...work(delivered, readOnly), metadata: { name: 'roles', namespace: 'c1' } };
    expect(texts('FW8323', work([configMap('a')], executor), other)).toHaveLength(1);
  });
});
