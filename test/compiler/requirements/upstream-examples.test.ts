import { describe, expect, test } from 'vitest';
import { addOn, findings, planFindings, resolved } from './required-states.ts';

// The cases that users describe upstream, in our own words.

/** The waves of add-ons on a cluster. */
function wavesOn(
  cluster: string,
  names: readonly string[],
  objects: readonly object[],
): (number | undefined)[] {
  const { rollouts } = resolved(objects).resolution;
  return names.map((name) => rollouts.get(name)?.waveNumbers?.get(cluster));
}

describe('open-cluster-management-io/enhancements#184', () => {
  const chain = [
    ...addOn('workload', { placement: 'prod', requires: 'gateway' }),
    ...addOn('gateway', { requires: 'network' }),
    ...addOn('network'),
  ];

  test('a chain is delivered from its end, on each cluster', () => {
    expect(findings(chain)).toEqual([]);
    expect(wavesOn('c1', ['network', 'gateway', 'workload'], chain)).toEqual([1, 2, 3]);
    expect(wavesOn('c4', ['network', 'gateway', 'workload'], chain)).toEqual([1, 2, undefined]);
  });

  test('an add-on waits for all of its prerequisites', () => {
    const fanIn = [
      ...addOn('app', { requires: 'network\ncertificates\ndns\nstorage installed' }),
      ...addOn('network'),
      ...addOn('certificates', { requires: 'dns' }),
      ...addOn('dns', { requires: 'network' }),
      ...addOn('storage'),
    ];
    expect(findings(fanIn)).toEqual([]);
    expect(wavesOn('c1', ['network', 'dns', 'certificates', 'storage', 'app'], fanIn)).toEqual([
      1, 2, 3, 1, 4,
    ]);
  });

  test('a high-level add-on whose prerequisites select fewer clusters is an error, with the clusters', () => {
    const platform = [
      ...addOn('platform', { requires: 'providers' }),
      ...addOn('providers', { placement: 'prod' }),
    ];
    expect(findings(platform)).toMatchInlineSnapshot(`
      [
        "error FW4015: 1 cluster gets add-on "platform" without "providers", which it requires ("c4"): its placements select 3 of 4 clusters with "platform"
      install "providers" on these clusters too, or do not install "platform" there",
      ]
    `);
  });

  test('prerequisites that something uses are not removed without a word', () => {
    const workload = addOn('workload', { requires: 'gateway' });
    expect(planFindings([...workload, ...addOn('gateway')], workload)).toMatchInlineSnapshot(`
      [
        "warning FW8064: uninstalling "gateway" leaves 1 add-on without it ("workload") on 4 clusters
      keep "gateway" on these clusters, or uninstall "workload" there too, or remove the annotation fleetwright.dev/requires",
      ]
    `);
  });
});

describe('open-cluster-management-io/enhancements#156 and #157', () => {
  test('add-ons that depend on each other are an error', () => {
    expect(findings([...addOn('a', { requires: 'b' }), ...addOn('b', { requires: 'a' })]))
      .toMatchInlineSnapshot(`
      [
        "error FW4016: "a" requires "b" requires "a": none of them can be installed first
      remove one of these requirements",
      ]
    `);
  });

  test('an add-on with other prerequisites on another kind of clusters is two add-ons', () => {
    const one = [...addOn('agent', { requires: 'tokens' }), ...addOn('tokens', { placement: 'prod' })];
    expect(findings(one).map((text) => text.slice(0, 13))).toEqual(['error FW4015:']);
    const two = [
      ...addOn('agent-prod', { placement: 'prod', requires: 'tokens' }),
      ...addOn('agent', { placement: 'all' }),
      ...addOn('tokens', { placement: 'prod' }),
    ];
    expect(findings(two)).toEqual([]);
  });

  test('a dependency that the hub does not have is an error before anything is applied', () => {
    expect(findings(addOn('agent', { requires: 'tokens', delivery: 'hub' }))).toMatchInlineSnapshot(`
      [
        "error FW4015: add-on "agent" requires "tokens" on 4 clusters, but there is no ClusterManagementAddOn "tokens"
      add the add-on, remove the requirement, or list it under external in fleetwright.yaml if the hub has it",
        "warning FW4021: add-on "agent" may be delivered to a cluster before "tokens" is Available there: the hub delivers it, and does not know requirements
      let the placements of "agent" select the label feature.open-cluster-management.io/addon-tokens: available; write "installed" if the order does not matter",
      ]
    `);
  });
});

describe('chains of services in k0rdent', () => {
  const [nginx, secrets] = [addOn('nginx'), addOn('external-secrets', { requires: 'nginx' })];

  test('an upgrade keeps the order of an installation', () => {
    const upgraded = [
      ...addOn('nginx', { revision: '2' }),
      ...addOn('external-secrets', { requires: 'nginx', revision: '2' }),
    ];
    expect(wavesOn('c1', ['nginx', 'external-secrets'], [...nginx, ...secrets])).toEqual([1, 2]);
    expect(wavesOn('c1', ['nginx', 'external-secrets'], upgraded)).toEqual([1, 2]);
  });

  test('a service on a cluster that its dependency does not match is an error', () => {
    expect(findings([...addOn('nginx', { placement: 'prod' }), ...secrets])).toMatchInlineSnapshot(`
      [
        "error FW4015: 1 cluster gets add-on "external-secrets" without "nginx", which it requires ("c4"): its placements select 3 of 4 clusters with "external-secrets"
      install "nginx" on these clusters too, or do not install "external-secrets" there",
      ]
    `);
  });

  test('a dependency that stops to match a cluster leaves the service without it', () => {
    expect(planFindings([...nginx, ...secrets], [...addOn('nginx', { placement: 'prod' }), ...secrets]))
      .toMatchInlineSnapshot(`
      [
        "warning FW8064: uninstalling "nginx" leaves 1 add-on without it ("external-secrets") on 1 cluster
      keep "nginx" on these clusters, or uninstall "external-secrets" there too, or remove the annotation fleetwright.dev/requires",
      ]
    `);
  });

  test('a service needs the version of its dependency', () => {
    const of = (version: string): object[] =>
      addOn('nginx', { labels: { 'app.kubernetes.io/version': version } });
    const needs = addOn('external-secrets', { requires: 'nginx version>=4.14' });
    expect(findings([...of('4.14.3'), ...needs])).toEqual([]);
    expect(findings([...of('4.13.0'), ...needs])).toMatchInlineSnapshot(`
      [
        "error FW4017: add-on "external-secrets" requires "nginx" with version >=4.14, but on 4 clusters, such as "c1", AddOnTemplate "nginx" has 4.13.0
      deliver a version of "nginx" that satisfies >=4.14 on these clusters, or change the requirement of "external-secrets"",
      ]
    `);
  });
});
