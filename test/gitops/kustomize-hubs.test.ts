import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Plan } from '../../src/compiler/index.ts';
import { GitRepository } from '../e2e/repository.ts';
import { exampleFiles } from '../hubs/workspace.ts';

const searchPath = process.env['PATH'] ?? '';
beforeAll(() => {
  process.env['PATH'] = `${inject('tools')}${path.delimiter}${searchPath}`;
});
afterAll(() => {
  process.env['PATH'] = searchPath;
});

/** The patch of a hub: how often its clusters report. */
const overlay = (hub: string, interval: string): Readonly<Record<string, string>> => ({
  [`apps/metrics/overlays/${hub}/kustomization.yaml`]: `resources: [../../base]
patches:
  - path: interval.yaml
`,
  [`apps/metrics/overlays/${hub}/interval.yaml`]: `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: metrics, namespace: metrics }
spec:
  customizedVariables:
    - { name: INTERVAL, value: ${interval} }
`,
});

describe('an app of plain YAML with a base, and an overlay per hub that patches it', () => {
  let repository: GitRepository;
  let first: string;
  let inProdUs: string;
  let inBase: string;
  beforeAll(async () => {
    repository = new GitRepository();
    const { 'apps/metrics/metrics.yaml': metrics = '', ...files } = await exampleFiles();
    const base = (text: string): Readonly<Record<string, string>> => ({
      'apps/metrics/base/kustomization.yaml': 'resources: [metrics.yaml]\n',
      'apps/metrics/base/metrics.yaml': text,
    });
    // The app in TypeScript has no part in this.
    const others = Object.entries(files).filter(([name]) => !name.startsWith('apps/'));
    first = repository.commit('Begin', {
      ...Object.fromEntries(others),
      ...base(metrics),
      'apps/metrics/overlays/dev/kustomization.yaml': 'resources: [../../base]\n',
      ...overlay('prod-eu', '60s'),
      ...overlay('prod-us', '60s'),
    });
    inProdUs = repository.commit('Report more often in prod-us', overlay('prod-us', '10s'));
    inBase = repository.commit('Describe the add-on', base(metrics.replace('30s', '45s')));
  });
  afterAll(() => repository.remove());

  test('is synthesized for each hub with its own patch', async () => {
    expect(await repository.fleetwright(['synth'])).toEqual({
      code: 0,
      err: '',
      out: `metrics: 4 objects, 1 add-on, installed 2 times -> dist/dev/metrics
metrics: 4 objects, 1 add-on, installed 4 times -> dist/prod-eu/metrics
metrics: 4 objects, 1 add-on, installed 4 times -> dist/prod-us/metrics
`,
    });
    const intervals = ['dev', 'prod-eu', 'prod-us'].map(
      (hub) =>
        /INTERVAL\n +value: (\w+)/.exec(
          readFileSync(
            path.join(repository.root, `dist/${hub}/metrics/addondeploymentconfig_metrics_metrics.yaml`),
            'utf8',
          ),
        )?.[1],
    );
    expect(intervals).toEqual(['45s', '60s', '10s']);
    expect((await repository.fleetwright(['synth', '--check'])).code).toBe(0);
  });

  const planned = async (range: string) => {
    const { code, out } = await repository.fleetwright(['plan', range, '-o', 'json']);
    const plan = JSON.parse(out) as Plan;
    return {
      code,
      changed: plan.addOns.map(({ hub, addOn, effects }) => [hub, addOn, effects.changed]),
      fields: plan.objects.flatMap(({ hub, fields }) =>
        fields.map(({ path: field, before, after }) => [hub, field, before, after]),
      ),
    };
  };

  test('changes on the hub whose patch changed', async () => {
    expect(await planned(`${first}..${inProdUs}`)).toEqual({
      code: 0,
      changed: [['prod-us', 'metrics', 4]],
      fields: [['prod-us', 'spec.customizedVariables[INTERVAL].value', '60s', '10s']],
    });
  });

  test('changes by its base only on hubs that do not patch the field', async () => {
    expect(await planned(`${inProdUs}..${inBase}`)).toEqual({
      code: 0,
      changed: [['dev', 'metrics', 2]],
      fields: [['dev', 'spec.customizedVariables[INTERVAL].value', '30s', '45s']],
    });
  });

  test.each([
    ['dev', '45s', 'apps/metrics/base/metrics.yaml'],
    ['prod-eu', '60s', 'apps/metrics/base/metrics.yaml'],
    ['prod-us', '10s', 'apps/metrics/base/metrics.yaml'],
  ])('is explained for hub %s', async (hub, value, file) => {
    const { code, out } = await repository.fleetwright([
      'explain',
      'local-cluster',
      'metrics',
      'INTERVAL',
      '--hub',
      hub,
    ]);
    expect(code).toBe(0);
    expect(out).toContain(JSON.stringify(value));
    expect(out).toContain(file);
  });
});
