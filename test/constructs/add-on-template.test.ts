import { ConfigMap, Deployment, ServiceAccount } from 'cdk8s-plus-27';
import { Testing } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import {
  AddOnTemplate,
  ApiObject,
  App,
  Chart,
  Feedback,
  HubPermission,
  ManifestConfig,
  Registration,
  UpdateStrategy,
  Variable,
} from '../../constructs/index.ts';
import type { Workload } from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { errorsOf, objectOf, objectsOf, specOf } from './in-chart.ts';

const configMap = (scope: Workload | Chart, id: string) =>
  new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });

/** The manifests that a template carries. */
function manifestsOf(
  workload: (scope: Workload) => void,
  workloadNamespace = 'ocm-agents',
): KubernetesObject[] {
  const chart = new Chart(new App(), 'chart');
  return new AddOnTemplate(chart, 'template', {
    addonName: 'helloworld',
    workload,
    workloadNamespace,
  }).workload.manifests();
}

describe('an AddOnTemplate', () => {
  test('lists the other add-ons that may use it, beside its annotations', () => {
    const annotationsOf = (sharedWith: readonly string[]): unknown =>
      objectOf(
        (chart) =>
          new AddOnTemplate(chart, 'template', {
            addonName: 'logs',
            annotations: { team: 'a' },
            sharedWith,
            workload: () => undefined,
          }),
      ).metadata.annotations;
    expect(annotationsOf(['metrics', 'traces'])).toEqual({
      team: 'a',
      'fleetwright.dev/shared-with': 'metrics\ntraces',
    });
    expect(annotationsOf([])).toEqual({ team: 'a' });
  });

  test('carries the objects of its workload, which are not objects of the chart', () => {
    const template = objectOf(
      (chart) =>
        new AddOnTemplate(chart, 'template', {
          name: 'helloworld-1.0.0',
          addonName: 'helloworld',
          workload: (scope) => {
            configMap(scope, 'settings').metadata.addAnnotation('cluster', Variable.clusterName);
          },
        }),
    );

    expect(template).toStrictEqual({
      apiVersion: 'addon.open-cluster-management.io/v1alpha1',
      kind: 'AddOnTemplate',
      metadata: { name: 'helloworld-1.0.0' },
      spec: {
        addonName: 'helloworld',
        agentSpec: {
          workload: {
            manifests: [
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: {
                  name: 'settings',
                  namespace: 'open-cluster-management-agent-addon',
                  annotations: { cluster: '{{CLUSTER_NAME}}' },
                },
              },
            ],
          },
        },
      },
    });
  });

  test('keeps its workload to itself when cdk8s renders the app', () => {
    const app = new App();
    const chart = new Chart(app, 'chart');
    const template = new AddOnTemplate(chart, 'template', {
      addonName: 'helloworld',
      workload: (scope) => void configMap(scope, 'settings'),
    });
    configMap(template.workload, 'later');

    expect(Testing.synth(chart)).toHaveLength(1);
    expect(app.synthYaml().match(/^kind: /gm)).toEqual(['kind: ']);
  });

  test('writes its registrations and its permissions on the hub', () => {
    const spec = specOf((chart) => {
      const template = new AddOnTemplate(chart, 'template', {
        addonName: 'helloworld',
        workload: () => {},
        registration: [
          Registration.kubeClient({
            hubPermissions: [
              HubPermission.currentCluster('helloworld-agent'),
              HubPermission.singleNamespace('shared', { kind: 'Role', name: 'reader' }),
            ],
          }),
        ],
      });
      template.addRegistration(
        Registration.customSigner({
          signerName: 'example.com/helloworld',
          signingCA: { namespace: 'ocm', name: 'ca' },
          subject: { user: 'agent', groups: ['agents'], organizationUnits: ['edge'] },
        }),
      );
      template.addRegistration(
        Registration.customSigner({ signerName: 'example.com/x', signingCA: { name: 'ca' } }),
      );
      template.addRegistration(Registration.kubeClient());
    });

    expect(spec).toMatchObject({
      registration: [
        {
          type: 'KubeClient',
          kubeClient: {
            hubPermissions: [
              { type: 'CurrentCluster', currentCluster: { clusterRoleName: 'helloworld-agent' } },
              {
                type: 'SingleNamespace',
                singleNamespace: {
                  namespace: 'shared',
                  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
                },
              },
            ],
          },
        },
        {
          type: 'CustomSigner',
          customSigner: {
            signerName: 'example.com/helloworld',
            signingCA: { namespace: 'ocm', name: 'ca' },
            subject: { user: 'agent', groups: ['agents'], organizationUnit: ['edge'] },
          },
        },
        { type: 'CustomSigner', customSigner: { signerName: 'example.com/x', signingCA: { name: 'ca' } } },
        { type: 'KubeClient', kubeClient: {} },
      ],
    });
  });

  test('keeps an empty list of registrations, which differs from a missing one', () => {
    const without = specOf((chart) => new AddOnTemplate(chart, 't', { addonName: 'a', workload: () => {} }));
    const empty = specOf(
      (chart) => new AddOnTemplate(chart, 't', { addonName: 'a', workload: () => {}, registration: [] }),
    );

    expect(empty).toHaveProperty('registration', []);
    expect(without).not.toHaveProperty('registration');
  });

  test('sets how its objects are applied and which fields are reported', () => {
    const spec = specOf(
      (chart) =>
        new AddOnTemplate(chart, 'template', {
          addonName: 'helloworld',
          manifestConfigs: [
            ManifestConfig.of(
              { group: 'apps', resource: 'daemonsets', namespace: 'kube-system', name: 'cni' },
              { updateStrategy: UpdateStrategy.readOnly(), feedback: [Feedback.wellKnownStatus()] },
            ),
          ],
          workload: (scope) => {
            const settings = new ConfigMap(scope, 'settings');
            scope.addManifestConfig(
              ManifestConfig.forObject(settings, { updateStrategy: UpdateStrategy.createOnly() }),
            );
          },
        }),
    );

    expect(spec).toHaveProperty('agentSpec.manifestConfigs', [
      {
        resourceIdentifier: { group: 'apps', resource: 'daemonsets', namespace: 'kube-system', name: 'cni' },
        feedbackRules: [{ type: 'WellKnownStatus' }],
        updateStrategy: { type: 'ReadOnly' },
      },
      {
        resourceIdentifier: {
          group: '',
          resource: 'configmaps',
          namespace: 'open-cluster-management-agent-addon',
          name: 'settings',
        },
        updateStrategy: { type: 'CreateOnly' },
      },
    ]);
  });
});

describe('the workload of a template', () => {
  test('names the objects of cdk8s-plus after their ids', () => {
    const manifests = manifestsOf((scope) => {
      const account = new ServiceAccount(scope, 'agent-account');
      new Deployment(scope, 'Agent', { containers: [{ image: 'example.com/agent:1' }] }).node.addDependency(
        account,
      );
    });

    expect(manifests.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['ServiceAccount', 'agent-account'],
      ['Deployment', 'agent'],
    ]);
  });

  test('has the same selectors in the next version of the template, for Deployments refuse another', () => {
    const selectors = ['v1', 'v2'].map((version) => {
      const template = new AddOnTemplate(new Chart(new App(), `chart-${version}`), `template-${version}`, {
        addonName: 'helloworld',
        workload: (scope) =>
          void new Deployment(scope, 'agent', { containers: [{ image: `agent:${version}` }] }),
      });
      return template.workload.manifests()[0]?.['spec'];
    });

    expect(selectors[0]).toMatchObject({
      selector: { matchLabels: { 'cdk8s.io/metadata.addr': 'helloworld-agent-c8fb71ef' } },
    });
    expect(selectors[1]).toMatchObject({
      selector: { matchLabels: { 'cdk8s.io/metadata.addr': 'helloworld-agent-c8fb71ef' } },
    });
  });

  test('has its own namespace if an object has none and its kind is namespaced', () => {
    const manifests = manifestsOf((scope) => {
      new ApiObject(scope, 'a', { apiVersion: 'v1', kind: 'Namespace' });
      new ApiObject(scope, 'b', { apiVersion: 'v1', kind: 'Secret' });
      new ApiObject(scope, 'c', { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'kube-system' } });
      new ApiObject(scope, 'd', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' });
      new ApiObject(scope, 'e', { apiVersion: 'example.com/v1', kind: 'Realm', metadata: { namespace: '' } });
    }, 'helloworld');

    expect(manifests.map(({ metadata }) => metadata)).toStrictEqual([
      { name: 'a' },
      { name: 'b', namespace: 'helloworld' },
      { name: 'c', namespace: 'kube-system' },
      { name: 'd' },
      { name: 'e' },
    ]);
  });

  test('puts each object after those that it depends on, otherwise in the order of creation', () => {
    const names = manifestsOf((scope) => {
      const [first, second] = [configMap(scope, 'first'), configMap(scope, 'second')];
      configMap(scope, 'third');
      first.addDependency(second);
    }).map(({ metadata }) => metadata.name);

    expect(names).toEqual(['second', 'first', 'third']);
  });

  test('does not take in an object of the hub that it depends on', () => {
    const names = objectsOf((chart) => {
      const onHub = configMap(chart, 'on-hub');
      new AddOnTemplate(chart, 'template', {
        addonName: 'helloworld',
        workload: (scope) => configMap(scope, 'on-cluster').addDependency(onHub),
      });
    }).map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec)?.includes('on-hub')]);

    expect(names).toEqual([
      ['on-hub', undefined],
      ['template', false],
    ]);
  });

  test('cannot be rendered if objects wait for each other', () => {
    const errors = errorsOf(
      (chart) =>
        new AddOnTemplate(chart, 'template', {
          addonName: 'helloworld',
          workload: (scope) => {
            const [first, second] = [configMap(scope, 'first'), configMap(scope, 'second')];
            first.addDependency(second);
            second.addDependency(first);
          },
        }),
    );

    expect(errors).toEqual([
      { construct: 'chart/template', message: "in the workload: ConfigMap 'first' depends on itself" },
    ]);
  });

  test('reports its faults with their locations', () => {
    const errors = errorsOf(
      (chart) =>
        new AddOnTemplate(chart, 'template', {
          addonName: 'helloworld',
          workload: (scope) => {
            configMap(scope, 'settings').node.addValidation({ validate: () => ['no settings'] });
            new ApiObject(scope, 'dated', { apiVersion: 'v1', kind: 'Secret', spec: { date: new Date(0) } });
          },
        }),
    );

    expect(errors).toEqual([
      { construct: 'chart/template', message: 'in the workload, at settings: no settings' },
      {
        construct: 'chart/template',
        message: "in the workload, at dated: can't render non-simple object of type 'Date'",
      },
    ]);
  });
});

describe('a permission on the hub', () => {
  test('is granted through the role itself', () => {
    const chart = new Chart(new App(), 'chart');
    const role = new ApiObject(chart, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'agent' },
    });

    expect(HubPermission.currentCluster(role).permission).toStrictEqual({
      type: 'CurrentCluster',
      currentCluster: { clusterRoleName: 'agent' },
    });
  });

  test('in the namespaces of the clusters takes a ClusterRole only', () => {
    expect(() => HubPermission.currentCluster({ kind: 'Role', name: 'agent' })).toThrow(
      new Error("a hub permission takes a ClusterRole, not the Role 'agent'"),
    );
    expect(() => HubPermission.singleNamespace('ocm', { kind: 'ServiceAccount', name: 'agent' })).toThrow(
      new Error("a hub permission takes a Role or a ClusterRole, not the ServiceAccount 'agent'"),
    );
  });
});

describe('a variable', () => {
  test('is in double braces without spaces, which the hub would take as part of the name', () => {
    expect(Variable.clusterName).toBe('{{CLUSTER_NAME}}');
    expect(Variable.installNamespace).toBe('{{INSTALL_NAMESPACE}}');
    expect(Variable.hubKubeconfig).toBe('{{HUB_KUBECONFIG}}');
    expect(Variable.custom('LOG_LEVEL')).toBe('{{LOG_LEVEL}}');
  });

  test('has a name that a deployment config can set', () => {
    expect(() => Variable.custom('LOG-LEVEL')).toThrow(
      new Error("'LOG-LEVEL' is no name of a variable: use letters, digits and _"),
    );
  });
});
