import { describe, expect, test } from 'vitest';
import { fleetOf } from '../../resolve-text.ts';
import { app, clusters, planOf, reported } from './states.ts';

const withData = (data: string): string => app.replace('{ level: "{{LEVEL}}" }', data);
const addOnPart = (base: string, head: string): string =>
  reported({ text: base }, { text: head }).replace(/\n(?:objects|placements)\n[^]*/, '');

describe('a rendered value', () => {
  test('that has the name of its cluster is marked', () => {
    const named = withData('{ cluster: "{{CLUSTER_NAME}}", level: "{{LEVEL}}" }');
    const template = (port: string): string =>
      withData(`{ config.yaml: "cluster: {{CLUSTER_NAME}}\\nport: ${port}\\n", level: "{{LEVEL}}" }`);
    expect(addOnPart(app, named)).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnTemplate t1 was edited (app.yaml:75)
          ConfigMap agents/agent
            data.cluster (cluster c1; differs per cluster): "c1" added
        changed on 2 clusters: c4, c5
          because AddOnTemplate t1 was edited (app.yaml:75)
          ConfigMap agents/agent
            data.cluster (cluster c4; differs per cluster): "c4" added
        1 wave
          1: c1, c2, c3, c4, c5

      reach
        cluster set default: 5 of 6 clusters (5 changed)
        cluster set global: 5 of 6 clusters (5 changed)
      "
    `);
    expect(addOnPart(template('80'), template('81'))).toMatchInlineSnapshot(`
      "hello
        changed on 3 clusters: c1, c2, c3
          because AddOnTemplate t1 was edited (app.yaml:75)
          ConfigMap agents/agent
            data[config.yaml] (cluster c1; differs per cluster):
                cluster: c1
              - port: 80
              + port: 81
                
        changed on 2 clusters: c4, c5
          because AddOnTemplate t1 was edited (app.yaml:75)
          ConfigMap agents/agent
            data[config.yaml] (cluster c4; differs per cluster):
                cluster: c4
              - port: 80
              + port: 81
                
        1 wave
          1: c1, c2, c3, c4, c5

      reach
        cluster set default: 5 of 6 clusters (5 changed)
        cluster set global: 5 of 6 clusters (5 changed)
      "
    `);
  });

  test('is not marked on a cluster that is alone', () => {
    const only = fleetOf({ c1: clusters['c1'] ?? {} });
    const { plan } = planOf(
      { fleet: only },
      { text: withData('{ cluster: "{{CLUSTER_NAME}}" }'), fleet: only },
    );
    expect(plan.addOns[0]?.groups.flatMap(({ values }) => values.map(({ cluster }) => cluster))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('is that of a cluster of the group, if two groups have the same configurations', () => {
    const fleet = fleetOf({ ...clusters, c4: { env: 'prod', region: 'eu' } });
    const { plan } = planOf({}, { text: withData('{ cluster: "{{CLUSTER_NAME}}" }'), fleet });
    for (const { clusters: names, values } of plan.addOns[0]?.groups ?? []) {
      const shown = values.find(({ path }) => path === 'data.cluster');
      expect(names).toContain(shown?.after);
    }
  });

  test('that differs only after the first cluster is a change too', () => {
    const variable = withData('{ cluster: "{{CLUSTER_NAME}}" }');
    const { plan } = planOf({ text: variable }, { text: withData('{ cluster: "c1" }') });
    expect(plan.addOns[0]?.groups).toMatchObject([
      { effect: 'changed', values: [{ path: 'data.cluster', before: 'c3', after: 'c1', cluster: 'c3' }] },
      { effect: 'changed', clusters: ['c4', 'c5'] },
    ]);
  });
});

describe('labels by which the plan counts', () => {
  const fleet = fleetOf({ ...clusters, c3: { env: 'dev', region: 'us' } });
  const { plan } = planOf({}, { text: app.replace('"warn"', '"debug"'), fleet }, ['env', 'region']);

  test('are those of the later state, with the earlier value if that differs', () => {
    expect(plan.addOns[0]?.groups.map(({ clusters: names, labels }) => [names, labels])).toEqual([
      [
        ['c3'],
        [
          { by: 'env', value: 'dev', was: 'prod', clusters: 1 },
          { by: 'region', value: 'us', clusters: 1 },
        ],
      ],
      [
        ['c1', 'c2'],
        [
          { by: 'env', value: 'prod', clusters: 2 },
          { by: 'region', value: 'eu', clusters: 1 },
          { by: 'region', value: 'us', clusters: 1 },
        ],
      ],
    ]);
    expect(plan.labels).toEqual([
      {
        by: 'env',
        values: [
          { value: 'dev', was: 'prod', clusters: ['c3'] },
          { value: 'prod', clusters: ['c1', 'c2'] },
        ],
      },
      {
        by: 'region',
        values: [
          { value: 'eu', clusters: ['c1'] },
          { value: 'us', clusters: ['c2', 'c3'] },
        ],
      },
    ]);
  });

  test('are in the waves', () => {
    expect(plan.addOns[0]?.rollout.waves).toMatchObject([
      { clusters: ['c1', 'c2'], labels: [{ by: 'env', value: 'prod', clusters: 2 }, {}, {}] },
    ]);
    expect(reported({}, { text: app.replace('"warn"', '"debug"'), fleet }, ['env'])).toContain(
      '    1 (env=prod): c1, c2\n',
    );
  });
});
