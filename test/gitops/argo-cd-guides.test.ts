import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  ArgoCdApplicationSet,
  ArgoCdGenerator,
  ArgoCdPlacementAccess,
  Placement,
} from '../../constructs/index.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { linkDependencies } from '../linked-repository.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { consoleSteps } from '../docs/console-steps.ts';
import { runSteps } from '../docs/run-steps.ts';
import { readAccess, type Access } from '../hub/client/kubeconfig.ts';
import { ocmKinds, reference, type KindOf } from '../hub/client/kinds.ts';
import { parseObjects, root } from './emitted-objects.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { addOn, fleet } from './engines/argo-cd/add-on.ts';
import { follow, page, shellSteps } from './engines/argo-cd/guide.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import {
  addFleet,
  applyApplication,
  fleetwright,
  publish,
  synced,
  writeFiles,
} from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';
import { serveForeignKinds } from './engines/foreign-kinds.ts';
import type { GitRepository } from './engines/git-server.ts';

// The guides, command by command with kubectl, on a real hub with Argo CD.

const stage = useStage();

const configMap: KindOf = ['v1', 'ConfigMap'];

/** An app with one add-on on c1 in a repository, on the hub. */
async function repositoryOf(name: string, text: string): Promise<GitRepository> {
  const repository = stage.git.create(name);
  await addApp(repository, name, text);
  return repository;
}

async function addApp(repository: GitRepository, name: string, text: string): Promise<void> {
  const clusters = fleet(name, ['c1']);
  await addFleet(stage.hub, clusters);
  writeFiles(repository.folder, { [`apps/${name}/fleet.yaml`]: clusters, [`apps/${name}/app.yaml`]: text });
}

describe.concurrent('the guides', () => {
  test('a private repository is read with the credentials of its Secret', async () => {
    const name = 'private';
    const password = 'a token of the forge';
    const repository = stage.git.create(name, { username: 'argocd', password });
    await addApp(repository, name, addOn({ name }));
    const commit = await publish(repository, 'Add-on');
    await applyApplication(stage.hub.client, name, repository);
    await eventually('Argo CD cannot read the repository', async () => {
      const { conditions = [] } = (await stage.argoCd.application(name)).status ?? {};
      return conditions.some(({ type }) => type === 'ComparisonError') || JSON.stringify(conditions);
    });
    await follow(stage, consoleSteps(page('argo-cd-guides.md'), 'Private repositories'), stage.folder, {
      'https://git.example.com/platform/add-ons.git': repository.url,
      '"$TOKEN"': `'${password}'`,
    });
    await synced(stage.argoCd, name, commit);
    expect((await stage.argoCd.application(name)).status?.conditions ?? []).toEqual([]);
  });

  test('a protected object stays when it leaves Git, and when the Application is deleted', async () => {
    const name = 'stays';
    const guide = page('argo-cd-guides.md');
    const [, options = ''] = /argocd\.argoproj\.io\/sync-options: (\S+)/.exec(guide) ?? [];
    const object = (config: string): string => `---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${config}, namespace: default, annotations: { argocd.argoproj.io/sync-options: "${options}" } }
data: { a: b }
`;
    const repository = await repositoryOf(name, addOn({ name }) + object('leaves-git') + object('in-git'));
    const first = await publish(repository, 'Two protected objects');
    await applyApplication(stage.hub.client, name, repository);
    await synced(stage.argoCd, name, first);

    writeFiles(repository.folder, { [`apps/${name}/app.yaml`]: addOn({ name }) + object('in-git') });
    const second = await publish(repository, 'One protected object');
    await stage.argoCd.refresh(name);
    await eventually('the commit is synced', async () => {
      const { operationState, sync } = (await stage.argoCd.application(name)).status ?? {};
      const isDone = operationState?.phase === 'Succeeded' && operationState.syncResult?.revision === second;
      return (isDone && sync?.status === 'OutOfSync') || JSON.stringify([sync, operationState]);
    });
    const onHub = (config: string): Promise<KubernetesObject | undefined> =>
      stage.hub.client.get(...configMap, config, 'default');
    expect(await onHub('leaves-git')).toBeDefined();
    // What Argo CD repeats is without effect.
    const operations = await stage.operations.of(name);
    const whole = operations.filter(({ selfHealed }) => selfHealed === undefined);
    expect(whole.map(({ phase }) => phase)).toEqual(['Succeeded', 'Succeeded']);

    // What the guide has for a single Application.
    await follow(stage, shellSteps(page('gitops.md'), 'Removing an app'), stage.folder, { NAME: name });
    await eventually('the Application and its add-on are gone', async () => {
      const application = await stage.hub.client.get(...applicationKind, name, 'argocd');
      const rest = await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, name);
      return (application ?? rest) === undefined;
    });
    expect(await onHub('leaves-git')).toBeDefined();
    expect(await onHub('in-git')).toBeDefined();
  });

  test('OpenShift GitOps has the health checks and may write what an app has', async () => {
    const namespace = 'openshift-gitops';
    const argoCd: KubernetesObject = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: namespace, namespace },
      spec: {},
    };
    await serveForeignKinds(stage.hub, [argoCd]);
    await stage.hub.client.apply(argoCd);
    const controller = `${namespace}-argocd-application-controller`;
    // What the operator of OpenShift GitOps permits.
    await stage.hub.client.apply({
      ...reference(['rbac.authorization.k8s.io/v1', 'ClusterRole'], 'reader'),
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    });
    await stage.hub.client.apply({
      ...reference(['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'], 'reader'),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: controller, namespace }],
    });
    const name = 'openshift';
    const repository = await repositoryOf(name, addOn({ name, overrides: { c1: 'own' } }));
    await fleetwright(repository.folder, 'init', '--gitops', 'argocd', '--repo-url', repository.url);
    linkDependencies(repository.folder);
    await fleetwright(repository.folder, 'synth', name);
    // As Argo CD applies it.
    const apply = {
      command: `kubectl apply --server-side --as system:serviceaccount:${namespace}:${controller} --kustomize dist/${name}`,
      printed: [],
    };
    const run = async (): Promise<{ readonly code: number | null; readonly err: string } | undefined> => {
      const [result] = await runSteps([apply], {
        cwd: repository.folder,
        scratch: stage.folder,
        env: stage.argoCd.environment,
      });
      return result;
    };
    expect((await run())?.err).toMatch(/is forbidden/);

    await follow(stage, consoleSteps(page('argo-cd-guides.md'), 'OpenShift GitOps'), repository.folder);
    await eventually('the objects are applied', async () => {
      const result = await run();
      return result?.code === 0 || (result?.err ?? '');
    });
    expect(await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, name)).toBeDefined();
    expect(await stage.hub.client.get(...applicationKind, 'hello', namespace)).toBeDefined();

    const { spec } = (await stage.hub.client.get('argoproj.io/v1beta1', 'ArgoCD', namespace, namespace)) as {
      readonly spec?: {
        readonly resourceHealthChecks: readonly { group: string; kind: string; check: string }[];
        readonly extraConfig: Readonly<Record<string, string>>;
      };
    };
    // What the operator makes of it.
    const config = Object.fromEntries(
      (spec?.resourceHealthChecks ?? []).map(({ group, kind, check }) => [
        `resource.customizations.health.${group}_${kind}`,
        check,
      ]),
    );
    const [healthChecks] = parseObjects(readFileSync(path.join(root, 'gitops/argocd-cm.yaml'), 'utf8'));
    expect({ ...config, ...spec?.extraConfig }).toEqual(healthChecks?.['data']);
  });

  test('ApplicationSets reach the hubs of a list, and the clusters that a Placement selects', async () => {
    const repository = stage.git.create('sets');
    for (const name of ['on-first', 'on-second']) await addApp(repository, name, addOn({ name }));
    writeFiles(repository.folder, {
      'till/config-map.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: till, namespace: default }\ndata: { shop: open }\n',
    });
    const commit = await publish(repository, 'Apps of two hubs, and of clusters');
    const hub = readAccess(stage.hub.kubeconfig);
    // One hub, which Argo CD has as two clusters.
    const second = { ...hub, server: hub.server.replace('127.0.0.1', 'localhost') };
    expect(second.server).not.toBe(hub.server);
    await stage.hub.client.apply(clusterSecret('second', second));
    const { managedCluster } = stage.hub;
    await stage.hub.client.apply(clusterSecret(managedCluster.name, readAccess(managedCluster.kubeconfig)));

    const objects = objectsOf((chart) => {
      const { url: repoUrl } = repository;
      new ArgoCdApplicationSet(chart, 'hubs', {
        name: 'hubs',
        generators: [
          ArgoCdGenerator.list([
            { hub: 'in-cluster', app: 'on-first' },
            { hub: 'second', app: 'on-second' },
          ]),
        ],
        applicationName: '{{.app}}',
        template: {
          repoUrl,
          targetRevision: 'main',
          path: 'dist/{{.app}}',
          destination: { name: '{{.hub}}' },
        },
      });
      const placement = new Placement(chart, 'tills', {
        name: 'tills',
        namespace: 'argocd',
        predicates: [{ labels: { test: 'till' } }],
      });
      const access = new ArgoCdPlacementAccess(chart, 'access');
      new ArgoCdApplicationSet(chart, 'tills-set', {
        name: 'tills',
        generators: [ArgoCdGenerator.placement(placement, { access, requeueAfterSeconds: 5 })],
        applicationName: '{{.name}}-till',
        template: { repoUrl, targetRevision: 'main', path: 'till', destination: { server: '{{.server}}' } },
      });
    });
    await stage.hub.client.apply({
      ...reference(ocmKinds.managedClusterSetBinding, 'global', 'argocd'),
      spec: { clusterSet: 'global' },
    });
    for (const object of objects) await stage.hub.client.apply(object);
    for (const name of ['on-first', 'on-second']) {
      await exists(name);
      await synced(stage.argoCd, name, commit);
      expect(await stage.operations.syncsOf(name)).toHaveLength(1);
    }
    const cluster = reference(ocmKinds.managedCluster, managedCluster.name);
    await stage.hub.client.merge(cluster, { metadata: { labels: { test: 'till' } } });
    const till = `${managedCluster.name}-till`;
    await exists(till);
    await synced(stage.argoCd, till, commit);
    const steps = [
      {
        command: `kubectl --kubeconfig '${managedCluster.kubeconfig}' -n default get configmap till --output jsonpath='{.data.shop}'`,
        printed: ['open'],
      },
    ];
    await follow(stage, steps, stage.folder);

    // The Application goes with the decision.
    await stage.hub.client.merge(cluster, { metadata: { labels: { test: null } } });
    await eventually('the cluster has no Application', async () => {
      return (await stage.hub.client.get(...applicationKind, till, 'argocd')) === undefined;
    });
  });
});

async function exists(application: string): Promise<void> {
  await eventually(`there is an Application ${application}`, async () => {
    return (await stage.hub.client.get(...applicationKind, application, 'argocd')) !== undefined;
  });
}

/** A cluster as Argo CD has it, with the name that OCM has. */
function clusterSecret(name: string, { server, ca, certificate = '', key = '' }: Access): KubernetesObject {
  const [caData, certData, keyData] = [ca, certificate, key].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  const tlsClientConfig = { caData, certData, keyData };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `cluster-${name}`,
      namespace: 'argocd',
      labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
    },
    stringData: { name, server, config: JSON.stringify({ tlsClientConfig }) },
  };
}
