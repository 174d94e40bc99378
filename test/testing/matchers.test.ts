import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { cluster, FleetError, fleetMatchers, loadFleet, type Fleet } from '../../src/testing/index.ts';
import { ApiObject } from '../../constructs/index.ts';
import { folderWith } from '../cli/terminal.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

expect.extend(fleetMatchers);

const mirrored = app.replace(
  /(name: prod, namespace: default \}\nspec:\n  agentInstallNamespace: "")/,
  '$1\n  registries: [{ source: quay.io/a, mirror: mirror/a }]',
);

async function load(text = mirrored): Promise<Fleet> {
  const cwd = await folderWith({ 'app/hub.yaml': text, 'app/fleet.yaml': fleetOf(clusters) });
  return await loadFleet('app', { cwd });
}

const fleet = await load();
const one = (name: string) => fleet.cluster(name).addon('hello');
const prod = fleet.clusters({ env: 'prod' }).addon('hello');
const all = fleet.clusters().addon('hello');

/** What a matcher says when it fails. */
function failure(assertion: () => void): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('it does not fail');
}

describe('one cluster', () => {
  test('passes for true assertions', () => {
    expect(one('c1')).toBeInstalled();
    expect(one('c6')).not.toBeInstalled();
    expect(one('c1')).toBeSelectedBy('default/stage');
    expect(one('c1')).toBeSelectedBy('prod');
    expect(one('c4')).not.toBeSelectedBy('prod');
    expect(one('c1')).toUseConfig('default/prod', 'placement default/prod');
    expect(one('c1')).not.toUseConfig('default/prod', 'cluster');
    expect(one('c4')).toUseConfig('default/base', 'default');
    expect(one('c4')).toUseConfig('t1');
    expect(one('c1')).toHaveMirror();
    expect(one('c1')).toHaveMirror('quay.io/a/agent');
    expect(one('c1')).not.toHaveMirror('quay.io/ab');
    expect(one('c4')).not.toHaveMirror();
    expect(one('c1')).toHaveValue('customizedVariables[LEVEL].value', 'warn');
    expect(one('c1')).toHaveValue('registries[0].mirror', expect.stringContaining('mirror'));
    expect(one('c1')).toHaveValue('registries');
    expect(one('c4')).not.toHaveValue('nodePlacement');
    expect(one('c1')).toRender('ConfigMap/agent data.level', 'warn');
    expect(one('c1')).toRender('ConfigMap/agents/agent data.level', expect.stringMatching(/^w/));
    expect(one('c1')).not.toRender('ConfigMap/agent data.other');
  });

  test('that does not use a configuration names the winner', () => {
    expect(failure(() => expect(one('c1')).toUseConfig('default/base'))).toMatchInlineSnapshot(`
      "expected "hello" on c1 to use default/base
        it uses default/prod, from placement default/prod (app/hub.yaml:20)
        not default/base, from default: replaced by placement (app/hub.yaml:9)"
    `);
    expect(failure(() => expect(one('c1')).toUseConfig('default/missing'))).toMatchInlineSnapshot(`
      "expected "hello" on c1 to use default/missing
        it uses default/prod, from placement default/prod (app/hub.yaml:20)
        not default/base, from default: replaced by placement (app/hub.yaml:9)
        it uses t1, from default (app/hub.yaml:8)
        nothing names default/missing for it"
    `);
    expect(failure(() => expect(one('c1')).not.toUseConfig('default/prod'))).toMatchInlineSnapshot(`
      "expected "hello" on c1 not to use default/prod
        it uses default/prod, from placement default/prod (app/hub.yaml:20)
        not default/base, from default: replaced by placement (app/hub.yaml:9)"
    `);
  });

  test('that does not have the add-on explains the decisions of its placements', () => {
    expect(failure(() => expect(one('c6')).toBeInstalled())).toMatchInlineSnapshot(`
      "expected "hello" on c6 to be installed
        "c6" does not have "hello": none of its 2 placements selects the cluster
        "default/stage" does not select "c6": label env is "dev", but must be "prod" or "stage" (app/hub.yaml:27)
        "default/prod" does not select "c6": label env is "dev", but must be "prod" (app/hub.yaml:37)"
    `);
    expect(failure(() => expect(one('c6')).toUseConfig('default/prod'))).toBe(
      failure(() => expect(one('c6')).toBeInstalled()).replace('to be installed', 'to use default/prod'),
    );
    expect(failure(() => expect(one('c4')).toBeSelectedBy('prod'))).toMatchInlineSnapshot(`
      "expected "hello" on c4 to be selected by Placement prod
        "c4" has "hello", configured through Placement "default/stage"
        "default/stage" selects "c4": it is in decision group 0, named by PlacementDecision "stage-decision-1"
        "default/prod" does not select "c4": label env is "stage", but must be "prod" (app/hub.yaml:37)"
    `);
  });

  test('that has another value names its source, and the values that lost', () => {
    expect(failure(() => expect(one('c1')).toHaveValue('customizedVariables[LEVEL].value', 'info')))
      .toMatchInlineSnapshot(`
      "expected "hello" on c1 to have customizedVariables[LEVEL].value "info"
        spec.customizedVariables[LEVEL].value is "warn", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:61)
          not "info" by default/base, from default: replaced by placement (app/hub.yaml:50)"
    `);
    expect(failure(() => expect(one('c4')).toHaveMirror())).toMatchInlineSnapshot(`
      "expected "hello" on c4 to have an image mirror
        nothing sets registries
        it uses default/base, from default (app/hub.yaml:9)
        it uses t1, from default (app/hub.yaml:8)"
    `);
    expect(failure(() => expect(one('c1')).toHaveMirror('docker.io'))).toMatchInlineSnapshot(`
      "expected "hello" on c1 to have a mirror of docker.io
        it pulls quay.io/a from mirror/a
        spec.registries[0].source is "quay.io/a", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:58)
          not by default/base, which says nothing there, from default: replaced by placement (app/hub.yaml:9)
        spec.registries[0].mirror is "mirror/a", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:58)
          not by default/base, which says nothing there, from default: replaced by placement (app/hub.yaml:9)"
    `);
  });

  test('that renders a different value names its cause', () => {
    expect(failure(() => expect(one('c1')).toRender('ConfigMap/agent data.level', 'info')))
      .toMatchInlineSnapshot(`
      "expected "hello" on c1 to render ConfigMap/agent data.level "info"
        ConfigMap agents/agent data.level is "warn"
          because of variable LEVEL of AddOnDeploymentConfig default/prod (app/hub.yaml:60)"
    `);
    expect(
      failure(() =>
        expect(one('c1')).toRender('ConfigMap/agent data.level', expect.stringMatching(/^i/)),
      ).split('\n')[0],
    ).toBe('expected "hello" on c1 to render ConfigMap/agent data.level StringMatching /^i/');
    expect(failure(() => expect(one('c1')).toRender('Deployment/agent'))).toMatchInlineSnapshot(`
      "expected "hello" on c1 to render Deployment/agent
        nothing there is rendered; there are ConfigMap/agent"
    `);
    expect(failure(() => expect(one('c1')).toRender('agent'))).toBe(
      '"agent" names no manifest: write it as Deployment/agent .spec.replicas',
    );
  });
});

describe('several clusters', () => {
  test('pass if true for every cluster, and with not if true for none', () => {
    expect(prod).toHaveMirror();
    expect(fleet.clusters({ env: 'stage' }).addon('hello')).not.toHaveMirror();
    // Some have one: that is neither all nor none.
    expect(() => expect(all).toHaveMirror()).toThrow('on all of 6 clusters, but it does not on 3');
    expect(() => expect(all).not.toHaveMirror()).toThrow('on none of 6 clusters, but it does on 3');
  });

  test('report the clusters that differ', () => {
    expect(failure(() => expect(all).toUseConfig('default/prod'))).toMatchInlineSnapshot(`
      "expected "hello" to use default/prod on all of 6 clusters, but it does not on 3
        c4:
          it uses default/base, from default (app/hub.yaml:9)
          it uses t1, from default (app/hub.yaml:8)
          nothing names default/prod for it
        c5:
          it uses default/base, from default (app/hub.yaml:9)
          it uses t1, from default (app/hub.yaml:8)
          nothing names default/prod for it
        c6:
          "c6" does not have "hello": none of its 2 placements selects the cluster
          "default/stage" does not select "c6": label env is "dev", but must be "prod" or "stage" (app/hub.yaml:27)
          "default/prod" does not select "c6": label env is "dev", but must be "prod" (app/hub.yaml:37)"
    `);
    expect(failure(() => expect(prod).not.toHaveValue('customizedVariables[LEVEL].value', 'warn')))
      .toMatchInlineSnapshot(`
      "expected "hello" to have customizedVariables[LEVEL].value "warn" on none of 3 clusters with env=prod, but it does on 3
        c1:
          spec.customizedVariables[LEVEL].value is "warn", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:61)
            not "info" by default/base, from default: replaced by placement (app/hub.yaml:50)
        c2:
          spec.customizedVariables[LEVEL].value is "warn", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:61)
            not "info" by default/base, from default: replaced by placement (app/hub.yaml:50)
        c3:
          spec.customizedVariables[LEVEL].value is "warn", by AddOnDeploymentConfig default/prod from placement default/prod (app/hub.yaml:61)
            not "info" by default/base, from default: replaced by placement (app/hub.yaml:50)"
    `);
  });

  test('report up to ten clusters', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      cluster({ name: `n${index}`, labels: { env: 'none' } }),
    );
    const message = failure(() =>
      expect(
        fleet
          .with(...many)
          .clusters({ env: 'none' })
          .addon('hello'),
      ).toBeInstalled(),
    );
    expect(message.split('\n')[0]).toBe(
      'expected "hello" to be installed on all of 12 clusters with env=none, but it does not on 12',
    );
    expect(message.split('\n').at(-1)).toBe('  and 2 more');
  });
});

describe('waves', () => {
  const paced = mirrored.replaceAll(
    '{ type: All }',
    '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 5m } }',
  );

  test('are counted', async () => {
    const slow = await load(paced);
    expect(slow.addon('hello').waves.length).toBeGreaterThan(1);
    expect(slow.addon('hello')).toRollOutInAtMost(slow.addon('hello').waves.length);
    expect(failure(() => expect(slow.addon('hello')).toRollOutInAtMost(1))).toMatchInlineSnapshot(`
      "expected "hello" to be installed in at most 1 wave, but it takes 3
        wave 1: c1, c4
        wave 2 after 5m: c2, c5
        wave 3 after 10m: c3"
    `);
    expect(failure(() => expect(fleet.addon('hello')).not.toRollOutInAtMost(1))).toMatchInlineSnapshot(`
      "expected "hello" not to be installed in at most 1 wave, but it takes 1
        wave 1: c1, c2, c3, c4, c5"
    `);
  });
});

describe('what-if', () => {
  test('a new cluster would get the add-ons that its labels select', () => {
    const next = fleet.with(cluster({ name: 'new', labels: { env: 'prod' } }));
    expect(next.cluster('new').addons).toEqual(['hello']);
    expect(next.cluster('new').addon('hello')).toUseConfig('default/prod');
    expect(next.clusters().names).toHaveLength(7);
    expect(() => fleet.cluster('new')).toThrow('the fleet has no cluster "new"');
  });

  test('a cluster would have other labels, taints or claims', () => {
    expect(fleet.with(cluster({ name: 'c1', labels: { env: 'dev' } })).cluster('c1').addons).toEqual([]);
    const tainted = cluster({
      name: 'c1',
      labels: { env: 'prod' },
      taints: [{ key: 'a', effect: 'NoSelect' }],
    });
    expect(fleet.with(tainted).cluster('c1').addons).toEqual([]);
    const gone = cluster({ name: 'c1', labels: { env: 'prod' }, available: false });
    expect(fleet.with(gone).cluster('c1').addon('hello')).toBeInstalled();
    const annotated = cluster({
      name: 'c4',
      labels: { env: 'stage' },
      annotations: {
        'open-cluster-management.io/image-registries': '{"registries":[{"source":"quay.io","mirror":"m"}]}',
      },
      claims: { region: 'eu' },
      clusterSet: 'eu',
      kubernetesVersion: 'v1.35.0',
    });
    expect(fleet.with(annotated).cluster('c4').addon('hello')).toHaveMirror('quay.io/a');
  });

  test('objects that the API server rejects are reported with its findings', () => {
    expect(failure(() => fleet.with(cluster({ name: 'No' })))).toMatchInlineSnapshot(`
      "the fleet does not resolve

      error FW2016: name "No" must consist of lower-case letters, digits, '-' and '.', and begin and end with a letter or digit
       --> ManagedCluster No of the test
        = object: ManagedCluster No
        = field: metadata.name
        = hint: write "no"

      1 error"
    `);
  });
});

describe('loading', () => {
  test('takes a construct tree and a fleet', async () => {
    const cwd = await folderWith({ 'fleet.yaml': fleetOf(clusters), 'hub.yaml': app });
    const tree = new App();
    new ApiObject(new Chart(tree, 'c'), 'extra', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'x' },
    });
    const loaded = await loadFleet(tree, { fleet: 'fleet.yaml', cwd });
    expect(loaded.clusters().names).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    expect(loaded.resolution.inventory.others.map(({ object }) => object.kind)).toEqual(['Namespace']);
    const files = await loadFleet(['hub.yaml', 'fleet.yaml'], {
      cwd,
      now: new Date('2026-01-01'),
      hubVersion: '1.2',
    });
    expect(files.addon('hello').clusters).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
  });

  test('fails with the reason', async () => {
    const cwd = await folderWith({ 'bad.yaml': 'apiVersion: v1\nkind: Placemnt\n' });
    await expect(loadFleet('missing', { cwd })).rejects.toThrow(
      new FleetError('missing: no such file or folder'),
    );
    await expect(loadFleet('bad.yaml', { cwd })).rejects.toThrow(/^the fleet does not resolve\n\nerror FW/);
  });

  test('names that do not exist are errors, and so is asking something of no cluster', () => {
    expect(() => fleet.addon('helo')).toThrow(
      new FleetError('there is no add-on "helo"; did you mean "hello"?'),
    );
    expect(() => fleet.clusters({ env: 'prd' }).addon('hello')).toThrow(
      new FleetError('the fleet has no clusters with env=prd'),
    );
    expect(() => expect('c1').toBeInstalled()).toThrow(TypeError);
  });
});

describe('proofs', () => {
  test('are about all clusters that may exist', () => {
    expect(fleet).toProve({ where: { labels: { env: 'prod' } }, has: ['hello'] });
    expect(fleet).not.toProve({ has: ['hello'] });
  });

  test('fail with the counterexample', () => {
    expect(failure(() => expect(fleet).toProve({ has: ['hello'] }))).toMatchInlineSnapshot(
      `"expected a proof, but "the invariant" does not hold for a cluster without labels"`,
    );
    expect(failure(() => expect(fleet).toProve({ has: ['helo'] }))).toMatchInlineSnapshot(
      `"the invariant "the invariant" names the add-on helo, which does not exist; did you mean "hello"?"`,
    );
    expect(failure(() => expect(one('c1')).toProve({ has: ['hello'] }))).toMatchInlineSnapshot(
      `"toProve is for a fleet: expect(fleet).toProve(…)"`,
    );
  });
});

describe('what Placements bring to a cluster', () => {
  const group = 'policy.open-cluster-management.io';
  const placed = `${mirrored}---
apiVersion: ${group}/v1
kind: Policy
metadata: { name: etcd, namespace: default }
spec: { remediationAction: enforce }
---
apiVersion: ${group}/v1
kind: PlacementBinding
metadata: { name: etcd, namespace: default }
placementRef: { apiGroup: cluster.open-cluster-management.io, kind: Placement, name: prod }
subjects: [{ apiGroup: ${group}, kind: Policy, name: etcd }]
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: shop, namespace: default }
spec:
  generators: [{ list: { elements: [{ cluster: c1 }] } }]
  template:
    metadata: { name: 'shop-{{cluster}}' }
    spec: { project: default, destination: { name: '{{cluster}}' } }
`;

  test('are its policies and Applications', async () => {
    const whole = await load(placed);
    expect(whole.cluster('c1').policies).toEqual([{ name: 'default/etcd', remediationAction: 'enforce' }]);
    expect(whole.cluster('c4').policies).toEqual([]);
    expect(whole.cluster('c1').applications).toEqual([
      { name: 'default/shop-c1', applicationSet: 'default/shop', deletesResources: true },
    ]);
    expect(whole.policy('default/etcd')).toEqual({
      name: 'default/etcd',
      clusters: ['c1', 'c2', 'c3'],
      enforcedOn: ['c1', 'c2', 'c3'],
    });
    expect(() => whole.policy('default/etc')).toThrow(
      new FleetError('no PlacementBinding binds a Policy "default/etc"; did you mean "default/etcd"?'),
    );
  });
});
