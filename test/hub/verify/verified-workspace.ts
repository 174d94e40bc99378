import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { run } from '../../../src/cli/run.ts';
import type { HubVersionName } from '../../../src/ocm/hub-version.ts';
import { loaded } from '../../compiler/admit/loaded.ts';
import type { Hub } from '../client/hub.ts';
import { namespaceKind, ocmKinds, reference } from '../client/kinds.ts';
import { clusters, clusterSets, namesOf, namespaces, scores } from '../differential/fleet.ts';
import { placement } from '../differential/placements.ts';
import { Random } from '../differential/random.ts';
import { applyScenario } from '../record/apply-scenario.ts';
import { belongsTo, printObjects } from '../record/scenario.ts';

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A workspace with Placements over the random fleet of a hub. */
export interface VerifiedWorkspace {
  readonly folder: string;
  /** The namespace of its objects. */
  readonly namespace: string;
  readonly placements: readonly KubernetesObject[];
  run(...words: readonly string[]): Promise<Ran>;
}

export interface FleetOptions {
  readonly seed: number;
  readonly clusters: number;
  readonly placements: number;
  readonly release: HubVersionName;
  /** The number of Placements that the hub has already. */
  readonly held: number;
}

/** Applies a random fleet to a hub, and makes a workspace for it. */
export async function verifiedWorkspace(hub: Hub, options: FleetOptions): Promise<VerifiedWorkspace> {
  const random = new Random(options.seed);
  const names = namesOf(`verify${options.seed}`);
  const fleet = [
    ...namespaces(names),
    ...clusterSets(random, names),
    ...clusters(random, names, { clusters: options.clusters, trouble: 0.4 }),
    ...scores(random, names, options.clusters),
  ];
  const shape = { numbered: 0.7, grouped: 0.3, selective: 0.8 };
  const placements: KubernetesObject[] = [];
  for (let index = 0; placements.length < options.placements; index++) {
    const { object } = admitObject(loaded(placement(random, names, index, shape)));
    if (object !== undefined) placements.push(object.object);
  }
  const held = placements.slice(0, options.held);
  const addOn = installed(names.placements, held);
  const applied = [...fleet, ...held, ...addOn];
  await hub.watch.follow(belongsTo(applied), async (follower) => {
    await applyScenario(hub, follower, applied);
    await follower.still({ quiet: 1000, atMost: 30_000 });
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-verify-'));
  const app = path.join(folder, 'apps/app');
  mkdirSync(app, { recursive: true });
  const own = [reference(namespaceKind, names.placements), ...placements, ...addOn];
  writeFileSync(path.join(app, 'app.yaml'), printObjects(own));
  writeFileSync(path.join(folder, 'fleetwright.yaml'), `hubVersion: '${options.release}'\n`);
  const workspace: VerifiedWorkspace = {
    folder,
    namespace: names.placements,
    placements,
    run: async (...words) => await runIn(folder, words),
  };
  const { code, err } = await workspace.run('synth');
  if (code !== 0) throw new Error(err);
  return workspace;
}

/** An add-on with a template and a configuration, which Placements install. */
function installed(namespace: string, placements: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const config = {
    group: 'addon.open-cluster-management.io',
    resource: 'addondeploymentconfigs',
    name: 'config',
    namespace,
  };
  const { group, resource, ...defaultConfig } = config;
  const name = `${namespace}-addon`;
  const templates = { group, resource: 'addontemplates', defaultConfig: { name } };
  const data = { level: '{{LEVEL}}' };
  return [
    {
      ...reference(ocmKinds.addOnTemplate, name),
      spec: {
        addonName: name,
        // The controllers of this hub are of 1.2, which register another group, and its CustomResourceDefinitions of 1.3.
        registration: [],
        agentSpec: {
          workload: {
            manifests: [
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: { name: 'agent', namespace: 'default' },
                data,
              },
            ],
          },
        },
      },
    },
    {
      ...reference(ocmKinds.addOnDeploymentConfig, 'config', namespace),
      spec: { customizedVariables: [{ name: 'LEVEL', value: 'info' }] },
    },
    {
      ...reference(ocmKinds.clusterManagementAddOn, name),
      spec: {
        supportedConfigs: [templates, { group, resource, defaultConfig }],
        installStrategy: {
          type: 'Placements',
          placements: placements.map(({ metadata }) => ({
            name: metadata.name,
            namespace,
            configs: [config],
            rolloutStrategy: { type: 'All' },
          })),
        },
      },
    },
  ];
}

async function runIn(cwd: string, words: readonly string[]): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(words, {
    cwd,
    now: () => Date.now(),
    readInput: () => Promise.resolve(new Uint8Array()),
    out: (text) => (out += text),
    err: (text) => (err += text),
    color: false,
  });
  return { code, out, err };
}
