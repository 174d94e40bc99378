import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ArgoCdApplication } from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { linkDependencies } from '../linked-repository.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { consoleSteps } from '../docs/console-steps.ts';
import { runSteps } from '../docs/run-steps.ts';
import { ocmKinds, reference, type KindOf } from '../hub/client/kinds.ts';
import { parseObjects, root } from './emitted-objects.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { addOn, fleet } from './engines/argo-cd/add-on.ts';
import { follow } from './engines/argo-cd/guide.ts';
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
import { page, shellSteps } from './engines/guide.ts';

// The guides, command by command with kubectl, on a real hub with Argo CD.

const stage = useStage({ plugin: true, waveDelay: 0 });

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
    const repository = stage.git.create('add-ons');
    await addApp(repository, name, addOn({ name, overrides: { c1: 'own' } }));
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
    expect(
      await stage.hub.client.get('argoproj.io/v1alpha1', 'ApplicationSet', 'add-ons', namespace),
    ).toBeDefined();

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
    const [healthChecks] = parseObjects(
      readFileSync(path.join(root, 'packaging/gitops/argocd-cm.yaml'), 'utf8'),
    );
    expect({ ...config, ...spec?.extraConfig }).toEqual(healthChecks?.['data']);
  });

  test('the guide adds the plugin to the Deployment of the repo server', async () => {
    const manifests = path.join(
      stage.argoCd.module,
      'manifests/base/repo-server/argocd-repo-server-deployment.yaml',
    );
    const install = { command: `kubectl -n argocd apply --filename '${manifests}'`, printed: [] };
    const steps = shellSteps(page('gitops.md'), 'A plugin of Argo CD');
    // An image is built where a container runtime is; test/package runs the steps of the Dockerfile.
    const [build, ...others] = steps;
    expect(build?.command).toMatch(/^docker build /);
    await follow(stage, [install, ...others], root, { 'node_modules/fleetwright/': '' });

    const deployment = await stage.hub.client.get('apps/v1', 'Deployment', 'argocd-repo-server', 'argocd');
    const { template } = (deployment?.spec ?? {}) as { readonly template?: { readonly spec: PodSpec } };
    const { containers = [], initContainers = [], volumes = [] } = template?.spec ?? {};
    expect(containers.map(({ name }) => name).toSorted()).toEqual(['argocd-repo-server', 'fleetwright']);
    const repoServer = containers.find(({ name }) => name === 'argocd-repo-server');
    const plugin = containers.find(({ name }) => name === 'fleetwright');
    expect(build?.command.split(' ')).toContain(plugin?.image);
    // Both containers have the folder of the socket, and the plugin has Argo CD's program from its init container.
    const shared = { name: 'plugins', mountPath: '/home/argocd/cmp-server/plugins' };
    expect(repoServer?.volumeMounts).toContainEqual(shared);
    expect(plugin?.volumeMounts).toContainEqual(shared);
    const copied = initContainers.flatMap(({ volumeMounts }) => volumeMounts);
    const program = plugin?.volumeMounts.find(({ name }) => name === 'var-files');
    expect(copied).toContainEqual(program);
    expect(path.dirname(plugin?.command[0] ?? '')).toBe(program?.mountPath);
    // The volume for temporary files is another one than that of the repo server.
    expect(volumes.map(({ name }) => name)).toEqual(expect.arrayContaining(['tmp', 'fleetwright-tmp']));
  });

  // argocd-cmp-server runs the command beside the repo server, and the two talk over its socket.
  test('an Application whose folder has an app is synced by the plugin, cold and warm', async () => {
    const name = 'plugged';
    const repository = stage.git.create(name);
    await addFleet(stage.hub, fleet(name, ['c1']));
    writeFiles(repository.folder, {
      'apps/plugged/app.yaml': addOn({ name }),
      'apps/plugged/fleet.yaml': fleet(name, ['c1']),
    });
    const commit = repository.commit('An app');
    const objects = objectsOf((chart) => {
      const { url: repoUrl } = repository;
      new ArgoCdApplication(chart, name, { name, repoUrl, targetRevision: 'main', path: 'apps/plugged' });
    });
    for (const object of objects) await stage.hub.client.apply(object);
    await synced(stage.argoCd, name, commit);
    const { status } = await stage.argoCd.application(name);
    expect(status?.sourceType).toBe('Plugin');
    expect(status?.conditions ?? []).toEqual([]);
    expect(await stage.hub.client.get(...ocmKinds.clusterManagementAddOn, name)).toBeDefined();

    // Without the manifests that the repo server has cached.
    const application = reference(applicationKind, name, 'argocd');
    const annotations = { 'argocd.argoproj.io/refresh': 'hard' };
    await stage.hub.client.merge(application, { metadata: { annotations } });
    await eventually('the Application was compared again', async () => {
      const { metadata } = await stage.argoCd.application(name);
      return metadata.annotations?.['argocd.argoproj.io/refresh'] === undefined;
    });
    expect((await stage.argoCd.application(name)).status?.sync?.status).toBe('Synced');
    expect(await stage.operations.syncsOf(name)).toHaveLength(1);
  });
});

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
