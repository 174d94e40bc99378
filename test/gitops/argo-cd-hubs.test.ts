import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ArgoCdApplicationSet,
  ArgoCdGenerator,
  ArgoCdPlacementAccess,
  Placement,
} from '../../constructs/index.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { ApiClient } from '../hub/client/api-client.ts';
import { readAccess, type Access } from '../hub/client/kubeconfig.ts';
import { ocmKinds, reference, type KindOf } from '../hub/client/kinds.ts';
import { applicationKind } from './engines/argo-cd.ts';
import { addOn, fleet } from './engines/argo-cd/add-on.ts';
import { useStage } from './engines/argo-cd/stage.ts';
import {
  addFleet,
  applyGitOps,
  compared,
  created,
  findFolders,
  fleetwright,
  publish,
  synced,
  writeFiles,
} from './engines/argo-cd/story.ts';
import { eventually } from './engines/eventually.ts';
import { startEngineHub, type EngineHub } from './engines/hub.ts';

// ApplicationSets of an Argo CD that runs on one hub, and applies to two hubs and to managed clusters.

const stage = useStage({ cluster: 'north-c1', waveDelay: 0 });

const configMap: KindOf = ['v1', 'ConfigMap'];

let south: EngineHub;
beforeAll(async () => {
  south = await startEngineHub({ namespaces: [], definitions: [], cluster: 'south-c1' });
  await stage.hub.client.apply(clusterSecret('south', readAccess(south.kubeconfig)));
});
afterAll(async () => {
  await south.stop();
});

/** What the agent of an add-on has on the cluster with OCM's agents, according to this cluster's API server. */
async function deliveredTo({ managedCluster }: EngineHub): Promise<string | undefined> {
  const client = new ApiClient(readAccess(managedCluster.kubeconfig));
  try {
    const agent = await client.get(...configMap, 'agent', 'default');
    return (agent?.['data'] as { readonly from: string } | undefined)?.from;
  } finally {
    client.close();
  }
}

async function delivers(hub: EngineHub, from: string): Promise<void> {
  await eventually(`${hub.managedCluster.name} has ${from}`, async () => {
    const delivered = await deliveredTo(hub);
    return delivered === from || `${delivered}`;
  });
}

/** The objects of an add-on that a hub has, without what everybody writes into their status. */
async function objectsOnHub({ client }: EngineHub, addOn: string): Promise<readonly string[]> {
  const objects = [
    ...(await client.list(...ocmKinds.clusterManagementAddOn)),
    ...(await client.list(...ocmKinds.addOnDeploymentConfig)),
    ...(await client.list(...ocmKinds.managedClusterAddOn)),
  ];
  return objects
    .filter(({ metadata: { namespace, name } }) => name === addOn || namespace === addOn)
    .map(
      ({ kind, metadata: { namespace = '', name = '', uid = '', generation } }) =>
        `${kind} ${namespace}/${name} ${uid} ${generation}`,
    )
    .sort();
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

describe.concurrent('ApplicationSets', () => {
  test('reach the hubs of a list, each with its own folder', async () => {
    const repository = stage.git.create('hubs');
    const hubs = { north: stage.hub, south };
    const write = (name: keyof typeof hubs, value = 'prod'): void =>
      writeFiles(repository.folder, { [`apps/${name}/app.yaml`]: addOn({ name, value }) });
    for (const name of ['north', 'south'] as const) {
      // Agents of OCM run on c1 of each hub.
      const { client, managedCluster } = hubs[name];
      const cluster = reference(ocmKinds.managedCluster, managedCluster.name);
      await client.merge(cluster, { metadata: { labels: { test: name } } });
      await addFleet(hubs[name], fleet(name, ['c2']));
      writeFiles(repository.folder, { [`apps/${name}/fleet.yaml`]: fleet(name, ['c1', 'c2']) });
      write(name);
    }
    const first = await publish(repository, 'Apps of two hubs');
    const objects = objectsOf((chart) => {
      new ArgoCdApplicationSet(chart, 'hubs', {
        name: 'hubs',
        generators: [
          ArgoCdGenerator.list([
            { hub: 'in-cluster', app: 'north' },
            { hub: 'south', app: 'south' },
          ]),
        ],
        applicationName: '{{.app}}',
        template: {
          repoUrl: repository.url,
          targetRevision: 'main',
          path: 'dist/{{.app}}',
          destination: { name: '{{.hub}}' },
        },
      });
    });
    for (const object of objects) await stage.hub.client.apply(object);
    for (const name of ['north', 'south'] as const) {
      await created(stage, name);
      await synced(stage.argoCd, name, first);
      await delivers(hubs[name], 'prod');
      const { client } = hubs[name];
      const names = async (kind: KindOf): Promise<readonly (string | undefined)[]> =>
        (await client.list(...kind))
          .map(({ metadata }) => metadata.name)
          .filter((each) => each === 'north' || each === 'south');
      expect(await names(ocmKinds.clusterManagementAddOn)).toEqual([name]);
      expect(await names(ocmKinds.managedClusterAddOn)).toEqual([name, name]);
    }

    const north = await objectsOnHub(stage.hub, 'north');
    write('south', 'new');
    const second = await publish(repository, 'Change the hub in the south');
    await synced(stage.argoCd, 'south', second);
    await delivers(south, 'new');
    // Argo CD compared the other folder, too.
    await compared(stage.argoCd, 'north', second);
    expect(await stage.operations.syncsOf('north')).toHaveLength(1);
    expect(await stage.operations.syncsOf('south')).toHaveLength(2);
    expect(await objectsOnHub(stage.hub, 'north')).toEqual(north);
    expect(await deliveredTo(stage.hub)).toBe('prod');
  });

  test('of init reach the hubs of a workspace, which can get more apps and lose them', async () => {
    const repository = stage.git.create('workspace');
    const hubs = { 'in-cluster': stage.hub, south };
    const names = Object.keys(hubs) as (keyof typeof hubs)[];
    const options = names.flatMap((name) => ['--hub', name]);
    await fleetwright(repository.folder, 'init', '--ci', 'none', '--repo-url', repository.url, ...options);
    // Each hub has one cluster of the add-ons.
    for (const [index, name] of names.entries()) {
      const clusters = fleet('everywhere', [`c${index}`]);
      await addFleet(hubs[name], clusters);
      writeFiles(repository.folder, { [`fleets/${name}.yaml`]: clusters });
    }
    const add = (name: string): void =>
      writeFiles(repository.folder, {
        [`apps/${name}/app.yaml`]: addOn({ name }).replace(`test: ${name}`, 'test: everywhere'),
      });
    writeFiles(repository.folder, { 'apps/hello': undefined });
    add('first');
    const commit = await publish(repository, 'An app of two hubs');
    await applyGitOps(stage.hub.client, repository);
    const clustersOf = async ({ client }: EngineHub, name: string): Promise<readonly unknown[]> =>
      (await client.list(...ocmKinds.managedClusterAddOn))
        .filter(({ metadata }) => metadata.name === name)
        .map(({ metadata }) => metadata.namespace);
    const isApplied = async (name: string, revision: string): Promise<void> => {
      for (const [index, hub] of names.entries()) {
        await created(stage, `${hub}-${name}`);
        await synced(stage.argoCd, `${hub}-${name}`, revision);
        await eventually(`${hub} has ${name} on its cluster`, async () => {
          const clusters = await clustersOf(hubs[hub], name);
          return JSON.stringify(clusters) === JSON.stringify([`everywhere-c${index}`]) || clusters.join(' ');
        });
      }
    };
    await isApplied('first', commit);

    add('second');
    const added = await publish(repository, 'Another app');
    await findFolders(stage.hub.client, 'workspace');
    await isApplied('second', added);

    writeFiles(repository.folder, { 'apps/first': undefined });
    await publish(repository, 'One app less');
    await findFolders(stage.hub.client, 'workspace');
    for (const hub of names)
      await eventually(`${hub} has lost the first app`, async () => {
        const application = await stage.hub.client.get(...applicationKind, `${hub}-first`, 'argocd');
        const { client } = hubs[hub];
        const addOnOnHub = await client.get(...ocmKinds.clusterManagementAddOn, 'first');
        const rest = [application?.kind, addOnOnHub?.kind, ...(await clustersOf(hubs[hub], 'first'))];
        return rest.every((each) => each === undefined) || rest.join(' ');
      });
    for (const hub of names)
      expect(await hubs[hub].client.get(...ocmKinds.clusterManagementAddOn, 'second')).toBeDefined();
  });

  test('reach the clusters that a Placement selects', async () => {
    const repository = stage.git.create('tills');
    writeFiles(repository.folder, {
      'till/config-map.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: till, namespace: default }\ndata: { shop: open }\n',
    });
    const commit = repository.commit('What every till has');
    const { managedCluster } = stage.hub;
    const access = readAccess(managedCluster.kubeconfig);
    await stage.hub.client.apply(clusterSecret(managedCluster.name, access));
    const objects = objectsOf((chart) => {
      const placement = new Placement(chart, 'tills', {
        name: 'tills',
        namespace: 'argocd',
        predicates: [{ labels: { till: 'yes' } }],
      });
      new ArgoCdApplicationSet(chart, 'tills-set', {
        name: 'tills',
        generators: [
          ArgoCdGenerator.placement(placement, {
            access: new ArgoCdPlacementAccess(chart, 'access'),
            requeueAfterSeconds: 5,
          }),
        ],
        applicationName: '{{.name}}-till',
        template: {
          repoUrl: repository.url,
          targetRevision: 'main',
          path: 'till',
          destination: { server: '{{.server}}' },
        },
      });
    });
    await stage.hub.client.apply({
      ...reference(ocmKinds.managedClusterSetBinding, 'global', 'argocd'),
      spec: { clusterSet: 'global' },
    });
    for (const object of objects) await stage.hub.client.apply(object);
    const cluster = reference(ocmKinds.managedCluster, managedCluster.name);
    await stage.hub.client.merge(cluster, { metadata: { labels: { till: 'yes' } } });
    const till = `${managedCluster.name}-till`;
    await created(stage, till);
    await synced(stage.argoCd, till, commit);
    const client = new ApiClient(access);
    expect(await client.get(...configMap, 'till', 'default')).toMatchObject({ data: { shop: 'open' } });
    client.close();

    // The Application goes with the decision.
    await stage.hub.client.merge(cluster, { metadata: { labels: { till: null } } });
    await eventually('the cluster has no Application', async () => {
      return (await stage.hub.client.get(...applicationKind, till, 'argocd')) === undefined;
    });
  });
});
