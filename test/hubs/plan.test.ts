import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/compiler/index.ts';
import { markdownFaults, planJsonFaults, sarifFaults } from '../compiler/report/report-formats.ts';
import { GitRepository } from '../e2e/repository.ts';
import { exampleFiles } from './workspace.ts';

const versions = (dev: string, prod: string): Readonly<Record<string, string>> => ({
  'apps/agent/version.ts': `export const version = { dev: '${dev}', prod: '${prod}' };\n`,
});

type PlanDocument = Plan & {
  readonly findings: readonly { readonly code: string; readonly message: string }[];
};

describe('a plan of a workspace with three hubs', () => {
  let repository: GitRepository;
  let first: string;
  let inDev: string;
  let inProd: string;
  beforeAll(async () => {
    repository = new GitRepository();
    first = repository.commit('Begin', await exampleFiles());
    inDev = repository.commit('Try the new agent in dev', versions('1.1.0', '1.0.0'));
    inProd = repository.commit('Promote the agent to prod', versions('1.1.0', '1.1.0'));
  });
  afterAll(() => repository.remove());

  const planned = async (...parameters: string[]): Promise<{ code: number; plan: PlanDocument }> => {
    const { code, out } = await repository.fleetwright(['plan', ...parameters, '-o', 'json']);
    expect(planJsonFaults(out)).toEqual([]);
    return { code, plan: JSON.parse(out) as PlanDocument };
  };

  test('shows that a change for dev reaches dev only', async () => {
    const { code, plan } = await planned(`${first}..${inDev}`);
    expect(code).toBe(0);
    expect(plan.addOns.map(({ hub, addOn, effects }) => [hub, addOn, effects.changed])).toEqual([
      ['dev', 'agent', 2],
    ]);
    expect(plan.summary.clusters).toBe(2);
    // Each hub has a cluster of the name local-cluster.
    expect(plan.fleet).toMatchObject({ before: 10, after: 10 });
  });

  test('counts the promotion over both hubs of prod, and so do guardrails', async () => {
    const { code, plan } = await planned(`${inDev}..${inProd}`);
    expect(code).toBe(1);
    expect(plan.addOns.map(({ hub, effects }) => [hub, effects.changed])).toEqual([
      ['prod-eu', 4],
      ['prod-us', 4],
    ]);
    expect(plan.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FW8005 the change reaches 8 of 8 clusters with env=prod, but the guardrails allow at most 50%',
    ]);
    expect(plan.reach.filter(({ by }) => by === 'env')).toMatchObject([
      { value: 'dev', clusters: 2, reached: 0 },
      { value: 'prod', clusters: 8, reached: 8 },
    ]);
    const approved = await planned(`${inDev}..${inProd}`, '--approve', plan.hash);
    expect(approved.code).toBe(0);
    // Half of the clusters of prod are those of one hub.
    const { code: half, plan: ofHub } = await planned(`${inDev}..${inProd}`, '--hub', 'prod-eu');
    expect([half, ofHub.hash === plan.hash]).toEqual([1, false]);
  });

  test('has the same hash and exit code in each folder', async () => {
    const hashes = new Set<string>();
    for (const folder of ['', 'apps', 'apps/agent', 'apps/metrics', 'fleets']) {
      const { code, out } = await repository.fleetwright(
        ['plan', `${inDev}..${inProd}`, '-o', 'json'],
        folder,
      );
      hashes.add(`${code} ${(JSON.parse(out) as PlanDocument).hash}`);
    }
    expect(hashes.size).toBe(1);
  });

  test('names the hub of each change, in every format', async () => {
    const formats = ['text', 'markdown', 'html', 'sarif', 'junit', 'github'];
    const texts = new Map<string, string>();
    for (const format of formats) {
      const { out } = await repository.fleetwright(['plan', `${inDev}..${inProd}`, '-o', format]);
      texts.set(format, out);
    }
    expect(texts.get('text')).toContain(`agent (hub prod-us)
  changed on 4 clusters (env=prod): local-cluster, us-1, us-2, us-3
`);
    expect(markdownFaults(texts.get('markdown') ?? '')).toEqual([]);
    expect(texts.get('markdown')).toContain('### agent (hub prod-us)\n');
    expect(sarifFaults(texts.get('sarif') ?? '')).toEqual([]);
    expect(texts.get('sarif')).toContain('AddOnTemplate template (hub prod-eu) was edited');
    expect(texts.get('junit')).toContain('name="agent (hub prod-us)"');
    const [, data = ''] = /id="plan">(.*?)<\/script>/s.exec(texts.get('html') ?? '') ?? [];
    const page = JSON.parse(data) as { clusters: readonly string[]; labels: readonly { by: string }[] };
    expect(page.clusters).toContain('prod-eu/local-cluster');
    expect(page.clusters).toContain('prod-us/local-cluster');
    expect(page.labels[0]).toEqual({
      by: 'hub',
      values: ['hub=prod-eu', 'hub=prod-us'],
      of: [0, 0, 0, 0, 1, 1, 1, 1],
    });
  });

  test('protects a cluster on any hub, or on the hub that is named with it', async () => {
    const messages = async (cluster: string): Promise<readonly string[]> => {
      const range = `${inDev}..${inProd}`;
      const { plan } = await planned(range, '--policy-from', 'head', '--protect', cluster);
      return plan.findings.flatMap(({ code, message }) => (/FW80(06|11)/.test(code) ? [message] : []));
    };
    expect(await messages('local-cluster')).toEqual([
      'the change reaches the protected cluster "local-cluster": "agent" is changed on hub prod-eu, "agent" is changed on hub prod-us',
    ]);
    expect(await messages('prod-us/local-cluster')).toEqual([
      'the change reaches the protected cluster "prod-us/local-cluster": "agent" is changed on hub prod-us',
    ]);
    expect(await messages('us-9')).toEqual(['there is no cluster "us-9", so this guardrail has no effect']);
  });

  test('reports a hub that is new or removed, and compares with a base that names none', async () => {
    const { 'fleetwright.yaml': settings = '', 'fleets/prod-us.yaml': fleet = '' } = await exampleFiles();
    const ofAsia = `hubs:\n  prod-asia:\n    facts: { environment: prod, region: asia, logLevel: 1 }\n`;
    repository.branch('asia', inProd);
    const added = repository.commit('Add a hub', {
      'fleetwright.yaml': settings.replace('hubs:\n', ofAsia),
      'fleets/prod-asia.yaml': fleet,
    });
    const { plan } = await planned(`${inProd}..${added}`);
    expect(plan.addOns.map(({ hub, addOn, effects }) => [hub, addOn, effects.installed])).toEqual([
      ['prod-asia', 'agent', 4],
      ['prod-asia', 'metrics', 4],
    ]);
    expect(plan.findings.map(({ message }) => message)).toContain(
      `hub prod-asia is new: ${inProd} does not have it, so everything on it counts as added`,
    );
    const removed = await planned(`${added}..${inProd}`);
    expect(removed.plan.findings.map(({ code }) => code)).toContain('FW9073');
    expect(removed.plan.summary.effects.uninstalled).toBe(8);
    repository.branch('unnamed', first);
    const unnamed = repository.commit('One hub without a name', {
      'fleetwright.yaml': '',
      'apps/agent/app.ts': undefined,
      'apps/agent/version.ts': undefined,
    });
    const named = repository.commit('Several hubs', { 'fleetwright.yaml': 'hubs:\n  dev:\n  prod-eu:\n' });
    const introduced = await planned(`${unnamed}..${named}`);
    expect(introduced.plan.addOns).toEqual([]);
    expect(introduced.plan.findings.map(({ code }) => code)).toEqual(['FW9074']);
    expect((await repository.fleetwright(['plan', `${named}..${first}`, '--hub', 'x'])).err).toBe(
      'fleetwright: unknown hub x\n  the hubs are "dev", "prod-eu" and "prod-us"\n',
    );
  });
});
