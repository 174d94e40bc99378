import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../src/compiler/index.ts';
import { planJsonFaults } from '../compiler/report/report-formats.ts';
import { fleetOf } from '../resolve-text.ts';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

let promoted: PromotedRepository;
let base: string;

beforeEach(async () => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@example.com');
  }
  promoted = new PromotedRepository();
  await promoted.begin(['a', 'b', 'c', 'd', 'e']);
  await promoted.promote('--commit');
  promoted.sync();
  base = promoted.repository.head();
});
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

/** A Deployment with a selector that no API server changes. */
function deploymentSelecting(app: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'agent', namespace: 'agents' },
    spec: {
      selector: { matchLabels: { app } },
      template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  };
}

async function merge(files: Readonly<Record<string, string | undefined>>): Promise<void> {
  promoted.commit('change', files);
  await promoted.synthesized('synth of the change');
}

async function plan(from: string, ...parameters: readonly string[]) {
  return await promoted.run(['plan', `${from}..HEAD`, ...parameters]);
}

async function planOf(from: string, ...parameters: readonly string[]): Promise<Plan> {
  const { out } = await plan(from, '-o', 'json', ...parameters);
  expect(planJsonFaults(out)).toEqual([]);
  return JSON.parse(out) as Plan;
}

describe('a plan of an app with a promotion', () => {
  test('separates what the merge does from what the promotion releases later', async () => {
    await merge({
      'apps/hello/app.yaml': appText('2'),
      'fleet.yaml': fleetOf({ a: {}, b: {}, c: {}, d: {}, e: { out: 'yes' } }),
    });
    const { out, err } = await plan(base);
    expect(err.match(/^(?:error|warning|info) FW\d+/gm)).toEqual(['info FW8313']);
    expect(out).toContain(
      'plan: 1 uninstalled, 4 changed, 0 unchanged; with the merge: 1 uninstalled; ' +
        'when the promotion releases it: 4 changed; 5 of 5 clusters reached in 2 waves\n',
    );
    expect(out).toContain(
      '  changed on 4 clusters: a, b, c, d\n' +
        '    because default names hello-2, previously hello-1 (apps/hello/app.yaml:8)\n' +
        '    not with the merge, but when the promotion releases it\n',
    );
    expect(out).toContain(
      '  2 waves of the promotion, finished after 20m at the earliest\n    1: a, b\n    2 after 10m: c, d\n',
    );
    // The engine applies one wave per commit, so it holds nothing.
    expect(out).not.toContain('applies wave by wave');
    const files = { md: 'plan.md', html: 'plan.html', xml: 'plan.xml' };
    const folder = promoted.repository.temporary;
    const github = await plan(
      base,
      '-o=github',
      `-o=markdown=${path.join(folder, files.md)}`,
      `-o=html=${path.join(folder, files.html)}`,
      `-o=junit=${path.join(folder, files.xml)}`,
    );
    expect(github.out).toContain(
      '::"hello" changes on 4 clusters (a, b, c, d) when the promotion releases it, not with the merge\n',
    );
    expect(github.out).toContain('when the promotion releases it: 4 changed; 5 of 5 clusters');
    const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
    expect(text(files.md)).toContain('; when the promotion releases it: 4 changed; 5 of 5 clusters');
    expect(text(files.md)).toContain('- not with the merge, but when the promotion releases it\n');
    expect(text(files.md)).toContain('<summary>2 waves of the promotion, finished after 20m');
    expect(text(files.html)).toContain('"held":["not with the merge, but when the promotion releases it"]');
    expect(text(files.xml)).toContain('changed not with the merge, but when the promotion releases it');
  });

  test('stops at a wave whose clusters refuse the change', async () => {
    const selecting = (version: string): string =>
      appText(version).replace(
        '      manifests:\n',
        `      manifests:\n      - ${JSON.stringify(deploymentSelecting(version))}\n`,
      );
    await merge({ 'apps/hello/app.yaml': selecting('2') });
    await promoted.promote('--commit');
    const before = promoted.repository.head();
    await merge({ 'apps/hello/app.yaml': selecting('3') });
    const { out } = await plan(before);
    expect(out).toContain(
      'but refused by the API server: Deployment agents/agent: spec.selector is immutable\n',
    );
    // The waves of the release in progress deliver other content.
    expect(out).toContain(
      '    1: c, d\n    2 after 10m: e\n    3 after 20m: a, b, which refuse the change\n',
    );
    expect(out).toContain(
      '  stops in wave 3: "a", "b", which refuse the change, failed, more than the strategy of hello default/all allows; ' +
        '3 clusters left: c, d, e\n',
    );
  });

  test('covers both with guardrails and with the hash', async () => {
    await merge({ 'apps/hello/app.yaml': appText('2') });
    const { code, out } = await plan(base, '--protect', 'd');
    expect(code).toBe(1);
    const [, hash = ''] = /^hash: (\w+)$/m.exec(out) ?? [];
    expect((await plan(base, '--protect', 'd', '--approve', hash)).code).toBe(0);

    // The same sources, and what waits is another release.
    const file = promoted.read('promotions/hello.yaml');
    promoted.commit('pause', { 'promotions/hello.yaml': file.replace('spec: {}', 'spec: { paused: true }') });
    expect((await planOf(base, '--protect', 'd')).hash).toBe(hash);
    promoted.commit('lose the state', { 'promotions/hello.yaml': undefined });
    expect((await planOf(base, '--protect', 'd')).hash).not.toBe(hash);
  });

  test('names the clusters whose wave a merge starts', async () => {
    await merge({ 'apps/hello/app.yaml': appText('2') });
    const before = promoted.repository.head();
    await promoted.promote('--commit');
    const { out } = await plan(before);
    expect(out).toContain('  the merge starts wave 1: hello/a, hello/b\n');
    expect(out).toContain('plan: the merge releases earlier changes on 2 clusters\n');
    expect((await plan(before, '--detailed-exit-code')).code).toBe(3);

    // What the change itself did counts once, and has the first wave with the merge.
    const { summary, addOns } = await planOf(base);
    expect(summary.promotions).toMatchObject({ started: 0, waiting: { changed: 3 } });
    expect(addOns[0]?.groups[0]?.waiting).toEqual(['c', 'd', 'e']);
    expect((await plan(base)).out).toContain(
      '    not with the merge, but when the promotion releases it on 3 clusters: c, d, e\n',
    );
  });

  test('says which clusters do not get content that was rolled back', async () => {
    await merge({ 'apps/hello/app.yaml': appText('2') });
    await promoted.promote('--commit');
    await promoted.promote('hello', '--abort', '--commit');
    const { out } = await plan(base);
    expect(out).toContain('not at all, because it was rolled back: 5 changed');
    expect(out).toContain('    not at all, because the content was rolled back\n');
  });

  test('warns that a promotion ends while clusters wait', async () => {
    await merge({ 'apps/hello/app.yaml': appText('2') });
    await promoted.promote('--commit');
    const before = promoted.repository.head();
    await merge({ 'promotions/hello.yaml': undefined });
    const { out, err } = await plan(before);
    expect(err).toContain(
      'warning FW8047: the change removes the promotion of app "hello", so the content that it holds back reaches ' +
        '3 clusters at once: hello/c, hello/d, hello/e\n',
    );
    expect(out).toContain('plan: the merge releases earlier changes on 3 clusters\n');
  });

  test('lets clusters that join have the earlier content with the merge', async () => {
    const clusters = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, {}]));
    promoted.commit('a cluster', { 'fleet.yaml': fleetOf(clusters) });
    await promoted.synthesized('synth');
    const { summary } = await planOf(base);
    expect(summary).toMatchObject({ effects: { installed: 1 } });
    expect(summary.promotions).toBeUndefined();
  });
});
