import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ClusterAddOn, Configuration } from '../../../src/compiler/configure/resolved-add-on.ts';
import type { HubVersionName } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const addOnApi = 'addon.open-cluster-management.io';
const configs = ['default', 'a', 'b', 'own', 'other']
  .map(
    (name) => `
---
apiVersion: ${addOnApi}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec: { customizedVariables: [{ name: FROM, value: ${name} }] }`,
  )
  .join('');
const templates = ['t1', 't2']
  .map(
    (name) => `
---
apiVersion: ${addOnApi}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name} }
spec: { addonName: hello, agentSpec: { workload: { manifests: [] } } }`,
  )
  .join('');

const placement = (name: string, labels: string): string => `
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: default }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${labels} } } }] }`;

const deployment = (name: string): string =>
  `{ group: ${addOnApi}, resource: addondeploymentconfigs, name: ${name}, namespace: default }`;
const template = (name: string): string => `{ group: ${addOnApi}, resource: addontemplates, name: ${name} }`;

/** A ClusterManagementAddOn of two placements, A and then B. */
const addOn = ({ a = '', b = '', annotations = '{}', type = 'Placements' } = {}): string => `
---
apiVersion: ${addOnApi}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello, annotations: ${annotations} }
spec:
  supportedConfigs:
  - { group: ${addOnApi}, resource: addontemplates, defaultConfig: { name: t1 } }
  - { group: ${addOnApi}, resource: addondeploymentconfigs, defaultConfig: { name: default, namespace: default } }
  installStrategy:
    type: ${type}
    placements: ${type === 'Manual' ? '[]' : `\n    - { name: a, namespace: default, configs: [${a}] }\n    - { name: b, namespace: default, configs: [${b}] }`}`;

const own = (cluster: string, ...references: string[]): string => `
---
apiVersion: ${addOnApi}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: ${cluster} }
spec: { configs: [${references.join(', ')}] }`;

const fleet = fleetOf({
  c1: { a: 'yes' },
  c2: { a: 'yes', b: 'yes' },
  c3: { b: 'yes' },
  c4: {},
});
const placements = placement('a', '{ a: "yes" }') + placement('b', '{ b: "yes" }');

/** `cluster: config template …` of every cluster that has the add-on. */
function used(configuration: Configuration): Record<string, string> {
  const clusters = configuration.get('hello')?.clusters ?? new Map<string, ClusterAddOn>();
  return Object.fromEntries(
    [...clusters.values()].map(({ cluster, effective }) => [
      cluster,
      effective.references.map(({ name }) => name).join(' '),
    ]),
  );
}

describe('precedence', () => {
  test('default < last placement < cluster, per kind, with complete lists replaced', () => {
    // The example of OCM's rules: A has a config, B a template, c3 two separate configs, one of them twice.
    const { resolution } = resolveText(
      configs +
        templates +
        placements +
        addOn({ a: deployment('a'), b: template('t2') }) +
        own('c3', deployment('own'), deployment('other'), deployment('own')),
      { fleet },
    );
    expect(used(resolution.configuration)).toEqual({ c1: 'a t1', c2: 'default t2', c3: 'own other t2' });
  });

  test('clusters with the same answer share it', () => {
    const { resolution } = resolveText(configs + templates + placements + addOn({ a: deployment('a') }), {
      fleet: fleetOf({ c1: { a: 'yes' }, c2: { a: 'yes' }, c3: { b: 'yes' } }),
    });
    const clusters = resolution.configuration.get('hello')?.clusters;
    expect(clusters?.get('c1')?.effective).toBe(clusters?.get('c2')?.effective);
    expect(clusters?.get('c1')?.effective).not.toBe(clusters?.get('c3')?.effective);
  });

  test('a supported kind without a default adds none', () => {
    const { resolution } = resolveText(
      templates + placements + addOn().replace(', defaultConfig: { name: default, namespace: default }', ''),
      { fleet },
    );
    expect(used(resolution.configuration)).toEqual({ c1: 't1', c2: 't1', c3: 't1' });
    expect(resolution.configuration.get('hello')?.defaultReferences.map(({ name }) => name)).toEqual(['t1']);
  });

  test('references in a status keep their order, as on a live hub', () => {
    const live = own('c1', deployment('own'), deployment('other')).replace(
      '{ configs:',
      '{ installNamespace: x, configs:',
    );
    const status = `
status:
  configReferences:
  - { group: ${addOnApi}, resource: addondeploymentconfigs, name: other, namespace: default, lastObservedGeneration: 1, desiredConfig: { name: other, namespace: default, specHash: h1 } }
  - { group: ${addOnApi}, resource: addondeploymentconfigs, name: own, namespace: default, lastObservedGeneration: 1, desiredConfig: { name: own, namespace: default, specHash: h2 } }`;
    const { resolution } = resolveText(configs + templates + placements + addOn(), {
      fleet: `${fleet}${live}${status}`,
    });
    expect(used(resolution.configuration)['c1']).toBe('other own t1');
  });
});

describe('provenance', () => {
  test('each winner and loser has its place and its reason', () => {
    const { resolution } = resolveText(
      configs +
        templates +
        placements +
        addOn({ a: deployment('a'), b: deployment('b') }) +
        own('c2', deployment('own')),
      { fleet },
    );
    const kind = resolution.configuration.get('hello')?.clusters.get('c2')?.effective.kinds[0];
    const line = ({
      origin,
      path,
    }: {
      origin: { locate(path: readonly (string | number)[]): object };
      path: readonly (string | number)[];
    }): number => (origin.locate(path) as { line: number }).line;
    const lines = (configs + templates + placements).split('\n').length;
    expect(kind?.resource).toBe('addondeploymentconfigs');
    expect(
      kind?.winners.map((winner) => [winner.reference.name, winner.level, line(winner) - lines]),
    ).toEqual([['own', 'cluster', 18]]);
    expect(
      kind?.losers.map((loser) => [
        loser.reference.name,
        loser.level,
        loser.placement,
        loser.reason,
        line(loser) - lines,
      ]),
    ).toEqual([
      ['default', 'default', undefined, 'replaced by cluster', 8],
      ['a', 'placement', 'default/a', 'placement is not the last', 12],
      ['b', 'placement', 'default/b', 'replaced by cluster', 13],
    ]);
  });
});

describe('on the clusters with the add-on', () => {
  test('on the clusters of all placements, and nowhere else', () => {
    const { resolution } = resolveText(configs + templates + placements + addOn() + own('c4'), { fleet });
    expect(Object.keys(used(resolution.configuration))).toEqual(['c1', 'c2', 'c3']);
  });

  test('Manual: on the clusters with a ManagedClusterAddOn', () => {
    const { resolution } = resolveText(
      configs + templates + addOn({ type: 'Manual' }) + own('c4', deployment('own')),
      { fleet },
    );
    expect(used(resolution.configuration)).toEqual({ c4: 'own t1' });
    expect(resolution.configuration.get('hello')?.progressions).toEqual([]);
  });

  test.each([
    ['addon-manager', true],
    ['self', false],
    ['', false],
  ])('the lifecycle annotation %j: managed by the hub is %j', (lifecycle, managed) => {
    const annotations = `{ ${addOnApi}/lifecycle: ${JSON.stringify(lifecycle)} }`;
    const { resolution } = resolveText(
      configs + templates + placements + addOn({ annotations }) + own('c1', deployment('own')),
      { fleet },
    );
    expect(resolution.configuration.get('hello')?.managed).toBe(managed);
    expect(used(resolution.configuration)).toEqual(
      managed ? { c1: 'own t1', c2: 'default t1', c3: 'default t1' } : { c1: '' },
    );
  });

  test('a placement that is not there stalls every cluster of the add-on', () => {
    const { resolution } = resolveText(configs + templates + placement('b', '{ b: "yes" }') + addOn(), {
      fleet,
    });
    expect(resolution.configuration.get('hello')?.stalled).toBe('placement default/a not found');
    expect(used(resolution.configuration)).toEqual({ c2: '', c3: '' });
  });
});

describe('hashes', () => {
  test('objects that do not exist, and kinds that the template manager does not read, have no hash', () => {
    const { resolution } = resolveText(
      configs +
        templates +
        placements +
        addOn({
          a: deployment('missing'),
          b: '{ resource: configmaps, name: settings, namespace: default }',
        }) +
        '\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: default }\ndata: { a: b }\n',
      { fleet },
    );
    const hashes = (cluster: string) =>
      resolution.configuration
        .get('hello')
        ?.clusters.get(cluster)
        ?.effective.references.map(({ name, specHash }) => `${name} ${specHash.length}`);
    expect(hashes('c1')).toEqual(['missing 0', 't1 64']);
    expect(hashes('c3')).toEqual(['settings 0', 'default 64', 't1 64']);
  });
});

describe('hashes of core kinds', () => {
  const hashOf = (resource: string, object: string): string | undefined => {
    const text = addOn().replace(
      `group: ${addOnApi}, resource: addontemplates, defaultConfig: { name: t1 }`,
      `resource: ${resource}, defaultConfig: { name: x, namespace: default }`,
    );
    const { resolution } = resolveText(`${text}${placements}\n---\napiVersion: v1\n${object}`, { fleet });
    const { references } = resolution.configuration.get('hello')?.clusters.get('c1')?.effective ?? {};
    return references?.find((reference) => reference.resource === resource)?.specHash;
  };
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const named = 'metadata: { name: x, namespace: default }';

  test('are those of the form that the API server stores: a Secret has bytes and a type', () => {
    const stored = '{"data":{"a":"b2xk","b":"bmV3","c":"bmV3"},"type":"Opaque"}';
    const written = 'data: { a: b2xk, b: "b2\\nxk" }, stringData: { b: new, c: new }';
    expect(hashOf('secrets', `kind: Secret\n${named}\n${written.replaceAll('}, ', '}\n')}`)).toBe(
      sha256(stored),
    );
    const typed = `kind: Secret\n${named}\ntype: example.com/x\nimmutable: true\ndata: {}`;
    expect(hashOf('secrets', typed)).toBe(sha256('{"immutable":true,"type":"example.com/x"}'));
  });

  test('a ConfigMap has no maps with nothing in them', () => {
    const written = `kind: ConfigMap\n${named}\ndata: { a: b }\nbinaryData: {}`;
    expect(hashOf('configmaps', written)).toBe(sha256('{"data":{"a":"b"}}'));
  });
});

describe('findings', () => {
  const found = (text: string, hub: HubVersionName = '1.3') =>
    resolveText(text, { fleet, hub })
      .diagnostics.filter(({ code }) => code.startsWith('FW4'))
      .map(({ code, severity, message, path }) => `${severity} ${code} at ${path ?? ''}: ${message}`);

  test('FW4001, FW4002: missing configurations, and unread ones, once per location, with the number of clusters', () => {
    expect(
      found(
        templates +
          configs.replace('name: default, namespace', 'name: renamed, namespace') +
          placements +
          addOn({ a: deployment('a'), b: '{ resource: configmaps, name: settings, namespace: default }' }),
      ),
    ).toEqual([
      'warning FW4002 at spec.installStrategy.placements[1].configs[0]: configmaps "default/settings" is of a kind that the add-on does not support, so it has no effect (used by 2 clusters)',
      'error FW4001 at spec.supportedConfigs[1].defaultConfig: addondeploymentconfigs.addon.open-cluster-management.io "default/default" does not exist (used by 2 clusters)',
    ]);
  });

  test('FW4003, FW4007: configurations that the hub deletes, and those of no cluster', () => {
    expect(found(configs + templates + placements + addOn() + own('c4') + own('c9'))).toEqual([
      'error FW4003 at metadata.namespace: no placement of "hello" selects "c4", so the hub deletes this ManagedClusterAddOn',
      'warning FW4007 at metadata.namespace: the fleet has no cluster "c9"',
    ]);
  });

  test('names the probable intention in hints', () => {
    const hints = (text: string): (string | undefined)[] =>
      resolveText(text, { fleet })
        .diagnostics.filter(({ code }) => /^FW400[127]$/.test(code))
        .map(({ hint }) => hint);
    const app = configs + templates + placements;
    expect(hints(app.replace('name: default, namespace', 'name: defualt, namespace') + addOn())).toEqual([
      'did you mean "default/defualt"? Until the reference is correct the hub delivers nothing new to these clusters',
    ]);
    const singular =
      '{ resource: addondeploymentconfig, group: addon.open-cluster-management.io, name: a, namespace: default }';
    expect(hints(app + addOn({ b: singular }))).toEqual([
      'did you mean "addondeploymentconfigs"? The resource is the plural of the kind',
    ]);
    expect(hints(app + addOn() + own('cc1'))).toEqual([
      'did you mean "c1"? If the cluster is new, refresh the fleet snapshot',
    ]);
    expect(hints(app + addOn() + own('elsewhere'))[0]).toMatch(
      /^the clusters are .*\. If the cluster is new, refresh the fleet snapshot$/,
    );
  });

  test('FW4004: several configurations of a kind in one placement', () => {
    expect(
      found(configs + templates + placements + addOn({ a: `${deployment('a')}, ${deployment('b')}` })),
    ).toEqual([
      'warning FW4004 at spec.installStrategy.placements[0].configs[1]: the placement names several addondeploymentconfigs, which hubs up to OCM 1.3 apply in random order: addondeploymentconfigs.addon.open-cluster-management.io "default/b" (used by 1 cluster)',
    ]);
  });

  test('FW4004: under OCM 1.4 the last of several configurations counts', () => {
    const several = configs + templates + placements + addOn({ a: `${deployment('a')}, ${deployment('b')}` });
    expect(found(several, '1.4')).toEqual([
      'warning FW4004 at spec.installStrategy.placements[0].configs[0]: addondeploymentconfigs.addon.open-cluster-management.io "default/a" has no effect: template add-ons read only the last of addondeploymentconfigs (used by 1 cluster)',
    ]);
  });

  test('FW4005: an undefined add-on', () => {
    expect(found(own('c1').replace('name: hello', 'name: hallo'))).toEqual([
      'warning FW4005 at : neither the app nor the fleet snapshot has a ClusterManagementAddOn "hallo", so the hub does not configure this add-on',
    ]);
  });

  test('FW4006: a template add-on without a template', () => {
    expect(
      found(
        configs +
          placements +
          addOn({ a: template('t1') }).replace(', defaultConfig: { name: t1 }', '') +
          templates,
      ),
    ).toEqual([
      'error FW4006 at spec.supportedConfigs: the add-on has no AddOnTemplate on 2 clusters, including "c2": neither by default nor from a placement or the cluster',
    ]);
  });

  test('FW4008: an object of another kind that is not available', () => {
    const own = addOn({
      a: '{ group: example.com, resource: examples, name: e, namespace: default }',
    }).replace(
      `group: ${addOnApi}, resource: addontemplates, defaultConfig: { name: t1 }`,
      'group: example.com, resource: examples',
    );
    expect(found(configs + placements + own)).toEqual([
      'warning FW4008 at spec.installStrategy.placements[0].configs[0]: examples.example.com "default/e" is neither in the app nor in the fleet snapshot, so its hash is unknown (used by 1 cluster)',
    ]);
  });

  test('FW4009: configurations beyond the first of their kind on a cluster of a template add-on', () => {
    const text = templates + configs + placements + addOn();
    const several = own('c1', deployment('a'), deployment('own'), deployment('b'), template('t2'));
    expect(found(text + several)).toEqual([
      'warning FW4009 at spec.configs[1]: addondeploymentconfigs.addon.open-cluster-management.io "default/own" has no effect: template add-ons read only the first of addondeploymentconfigs (used by 1 cluster)',
      'warning FW4009 at spec.configs[2]: addondeploymentconfigs.addon.open-cluster-management.io "default/b" has no effect: template add-ons read only the first of addondeploymentconfigs (used by 1 cluster)',
    ]);
    // The status of the hub has an order, and what it has first remains first.
    const entry = (name: string): string =>
      `{ group: ${addOnApi}, resource: addondeploymentconfigs, name: ${name}, namespace: default, desiredConfig: { name: ${name}, namespace: default, specHash: x } }`;
    const held = `${several}\nstatus: { configReferences: [${entry('own')}, ${entry('a')}] }`;
    expect(found(text + held).map((each) => each.split(':')[0])).toEqual([
      'warning FW4009 at spec.configs[0]',
      'warning FW4009 at spec.configs[2]',
    ]);
    // A separate manager may read them all.
    const managed = addOn().replace(/ {2}- \{ group: \S+ resource: addontemplates.*\n/, '');
    expect(found(configs + placements + managed + own('c1', deployment('a'), deployment('b')))).toEqual([]);
  });

  test('FW4009: a second configuration that is the default can come first', () => {
    const text = templates + configs + placements + addOn();
    expect(found(text + own('c1', deployment('own'), deployment('default')))).toEqual([
      'warning FW4009 at spec.configs[1]: addondeploymentconfigs.addon.open-cluster-management.io "default/default" can replace the first of addondeploymentconfigs, or have no effect: template add-ons read only one, and the default comes first if the hub configured the add-on before it read this list (used by 1 cluster)',
    ]);
    expect(found(text + own('c1', deployment('default'), deployment('own')))).toEqual([
      'warning FW4009 at spec.configs[1]: addondeploymentconfigs.addon.open-cluster-management.io "default/own" has no effect: template add-ons read only the first of addondeploymentconfigs (used by 1 cluster)',
    ]);
  });

  test('a configuration that a cluster names is reported on its ManagedClusterAddOn', () => {
    const { diagnostics } = resolveText(
      templates + configs + placements + addOn() + own('c1', deployment('gone')),
      { fleet },
    );
    expect(diagnostics.find(({ code }) => code === 'FW4001')?.object).toMatchObject({
      kind: 'ManagedClusterAddOn',
      namespace: 'c1',
      name: 'hello',
    });
  });
});
