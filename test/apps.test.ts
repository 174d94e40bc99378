import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveInputs } from '../cli/resolve-inputs.ts';
import type { ResolvedAddOn } from '../compiler/configure/configuration.ts';
import type { Diagnostic } from '../compiler/diagnostic.ts';
import { hubVersion } from '../compiler/hub-version.ts';
import type { Decision } from '../compiler/place/decision.ts';
import type { Resolution } from '../compiler/resolve.ts';

const cwd = path.resolve(import.meta.dirname, '..');

/** What the hub makes of an app and its fleet, as the commands read them. */
async function resolveApp(
  name: string,
): Promise<Resolution & { readonly addOn: ResolvedAddOn; readonly diagnostics: readonly Diagnostic[] }> {
  const unused = (): never => {
    throw new Error('nothing is read or printed');
  };
  const { resolution, diagnostics } = await resolveInputs(
    { path: [`apps/${name}`], fleet: [] },
    { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1', now: Date.parse('2026-11-21T00:00:00Z') },
    { cwd, now: unused, readInput: unused, out: unused, err: unused, color: false },
  );
  const addOn = resolution?.configuration.get(name);
  if (resolution === undefined || addOn === undefined) throw new Error(`${name} does not resolve`);
  return { ...resolution, addOn, diagnostics };
}

/** The groups of the clusters that a placement selects. */
function groupsOf(decision: Decision | undefined): unknown {
  return decision?.groups.map(({ name, clusters }) => [name, clusters.join(' ')]);
}

/** The names of what the add-on uses, in the order of the hub, by the clusters that use it. */
function clustersByConfigs(addOn: ResolvedAddOn): unknown {
  const clusters = new Map<string, string[]>();
  for (const [cluster, { effective }] of addOn.clusters) {
    const names = effective.references.map(({ name }) => name).join(' ');
    clusters.set(names, [...(clusters.get(names) ?? []), cluster]);
  }
  return Object.fromEntries([...clusters].map(([names, found]) => [names, found.join(' ')]));
}

const groups = [
  ['prod-canary-west', 'cluster2'],
  ['prod-canary-east', 'cluster3'],
  ['', 'cluster1 cluster4 cluster5 cluster6'],
];

describe('apps/helloworld', () => {
  test('is configured on each cluster by the last level that says something', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp('helloworld');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config cluster1-example-config': 'cluster1',
      'deploy-config example-config-1 example-config-2': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config default-example-config': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.decisions.get('default/placement-aws'))).toEqual(groups);
    // Both are the documentation's: two example configs of one placement, failures beside mandatory groups.
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FW4004', 'spec.installStrategy.placements[1].configs[2]'],
      ['FW7206', 'spec.installStrategy.placements[1].rolloutStrategy.progressive.maxFailures'],
    ]);
  });
});

describe('apps/shop-beacon', () => {
  test('reaches headquarters first, then two shops at a time, and no cluster that is no shop', async () => {
    const { addOn, rollouts, diagnostics } = await resolveApp('shop-beacon');

    expect(addOn.delivery).toBe('compiled');
    expect(clustersByConfigs(addOn)).toEqual({
      'config shop-beacon-1.0.0': 'shop-berlin shop-lyon shop-oslo shop-porto',
      'tromso shop-beacon-1.0.0': 'shop-tromso',
    });
    expect(rollouts.get('shop-beacon')?.waves.map(({ clusters }) => clusters.join(' '))).toEqual([
      'shop-berlin',
      'shop-lyon shop-oslo',
      'shop-porto shop-tromso',
    ]);
    expect(diagnostics).toEqual([]);
  });
});

describe('apps/helloworld-template', () => {
  test('is configured on each cluster by the last level that says something', async () => {
    const { addOn, decisions, diagnostics } = await resolveApp('helloworld-template');

    expect(clustersByConfigs(addOn)).toEqual({
      'cluster1-deploy-config helloworld-template-0.1.0': 'cluster1',
      'deploy-config helloworld-template-0.1.0': 'cluster2 cluster3 cluster4 cluster5 cluster6',
      'default-deploy-config helloworld-template-0.1.0': 'cluster10 cluster7 cluster8 cluster9',
    });
    expect(groupsOf(decisions.decisions.get('helloworld-template/placement-aws'))).toEqual(groups);
    // What agents may do they may do in the namespaces of all clusters: so it is with every template.
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['FW7116', 'info']]);
  });

  test('is tried on the fleet of apps/helloworld', async () => {
    const [first, second] = await Promise.all(
      ['helloworld', 'helloworld-template'].map((name) =>
        readFile(path.join(cwd, 'apps', name, 'fleet.yaml'), 'utf8'),
      ),
    );
    expect(first).toBe(second);
  });
});

interface DaemonSet {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly image: string;
            readonly env: readonly { readonly name: string; readonly value?: string }[];
            readonly volumeMounts: readonly { readonly mountPath: string }[];
          },
        ];
      };
    };
  };
}

describe('apps/log-forwarder', () => {
  test('is configured by region, and nothing is found wrong', async () => {
    const { addOn, diagnostics } = await resolveApp('log-forwarder');

    expect(clustersByConfigs(addOn)).toEqual({
      'in-asia log-forwarder-0.1.0': 'hongkong-1 mumbai-1',
      'in-europe log-forwarder-0.1.0': 'dublin-1 frankfurt-1',
      'anywhere log-forwarder-0.1.0': 'lab oregon-1 virginia-1',
    });
    expect(diagnostics).toEqual([]);
  });

  test('has images from the mirror in Europe, the proxy with its authority in Asia, and a certificate everywhere', async () => {
    const { rendering } = await resolveApp('log-forwarder');
    const on = (cluster: string): object => {
      const { works = [], status } = rendering.clusterAddOn('log-forwarder', cluster) ?? {};
      const manifests = works.flatMap(({ spec }) => spec?.workload?.manifests ?? []) as unknown as (
        DaemonSet | { kind: string; metadata: { name: string }; data?: Record<string, string> }
      )[];
      const daemons = manifests.find((manifest): manifest is DaemonSet => manifest.kind === 'DaemonSet');
      const container = daemons?.spec.template.spec.containers[0];
      const configMaps = manifests.flatMap((manifest) =>
        'metadata' in manifest && 'data' in manifest ? [manifest] : [],
      );
      return {
        image: container?.image,
        proxies: container?.env.filter(({ name }) => name === 'HTTPS_PROXY').map(({ value }) => value),
        mounts: container?.volumeMounts
          .map(({ mountPath }) => mountPath)
          .filter((path) => path.startsWith('/managed')),
        configMaps: configMaps.map(({ metadata }) => metadata.name).sort(),
        collector: /uri: (.*)/.exec(
          configMaps.find(({ data }) => data?.['vector.yaml'])?.data?.['vector.yaml'] ?? '',
        )?.[1],
        registrations: status?.registrations?.map(({ type }) => type),
      };
    };
    const everywhere = {
      image: 'docker.io/timberio/vector:0.49.0-distroless-static',
      proxies: [],
      mounts: ['/managed/logs.example.com-forwarder'],
      configMaps: ['log-forwarder-config'],
      registrations: ['customSigner'],
    };
    expect(on('virginia-1')).toEqual({
      ...everywhere,
      collector: 'https://logs.us.example.com/ingest?cluster=virginia-1',
    });
    expect(on('dublin-1')).toEqual({
      ...everywhere,
      image: 'registry.eu.example.com/timberio/vector:0.49.0-distroless-static',
      collector: 'https://logs.eu.example.com/ingest?cluster=dublin-1',
    });
    expect(on('mumbai-1')).toEqual({
      ...everywhere,
      proxies: ['http://proxy.ap.example.com:3128'],
      mounts: ['/managed/logs.example.com-forwarder', '/managed/proxy-ca'],
      configMaps: ['log-forwarder-config', 'log-forwarder-proxy-ca'],
      collector: 'https://logs.ap.example.com/ingest?cluster=mumbai-1',
    });
  });
});
