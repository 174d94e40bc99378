import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { load, resolve } from '../../src/compiler/index.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { waitingClusters } from '../../src/promotion/git/waiting-clusters.ts';
import { readWorkspaceSettings } from '../../src/workspace/settings/settings.ts';
import { appText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

let promoted: PromotedRepository;
beforeEach(() => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@example.com');
  }
  promoted = new PromotedRepository();
});
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

async function waiting(): Promise<readonly string[]> {
  const { root } = promoted.repository;
  const hub = hubVersion('1.3');
  const files = ['apps/hello/app.yaml', 'fleet.yaml'];
  const { value } = load(
    files.map((file) => ({
      file,
      text: promoted.read(file),
      source: file === 'fleet.yaml' ? ('fleet' as const) : ('app' as const),
    })),
  );
  const resolution = resolve(value, { now: promoted.now, hub }).value;
  if (resolution === undefined) throw new Error('the app is wrong');
  const target = { hub, addOnApiVersion: 'v1alpha1', engine: 'argocd' } as const;
  const settings = await readWorkspaceSettings({ cwd: root });
  const { clusters } = await waitingClusters({ root, settings, resolution, target, now: promoted.now });
  return [...clusters].map(([key, { state, text }]) => `${key} ${state}: ${text}`).sort();
}

test('clusters wait for a wave, for a person, or for nothing at all if the content was rolled back', async () => {
  await promoted.begin(['a', 'b', 'c'], '\n  approval: waves\n  approved: []');
  await promoted.promote('--commit');
  promoted.sync();
  promoted.commit('version 2', { 'apps/hello/app.yaml': appText('2') });
  await promoted.synthesized('synth');
  const begun = 'waits for a release of the promotion of hello that has not begun';
  expect(await waiting()).toEqual([
    `hello/a waits: ${begun}`,
    `hello/b waits: ${begun}`,
    `hello/c waits: ${begun}`,
  ]);

  await promoted.promote('--commit');
  const hash = /hash: ([0-9a-f]{64})/.exec(promoted.read('promotions/hello.yaml'))?.[1] ?? '';
  expect((await waiting())[0]).toBe(
    `hello/a stopped: waits for wave 1 of 2 of the promotion of hello: 0 started, and waits for an approval: add ${hash}/1 to spec.approved`,
  );
  const text = promoted.read('promotions/hello.yaml');
  promoted.commit('approve', {
    'promotions/hello.yaml': text.replace('approved: []', `approved: [${hash}/1, ${hash}/2]`),
  });
  await promoted.promote('--commit');
  expect(await waiting()).toEqual([
    'hello/c waits: waits for wave 2 of 2 of the promotion of hello: 1 started',
  ]);

  await promoted.promote('hello', '--abort', '--commit');
  const back =
    'rolled back: the promotion of hello rolled it back: change the content, or release it again with promote hello --retry';
  expect(await waiting()).toEqual([`hello/a ${back}`, `hello/b ${back}`, `hello/c ${back}`]);
});
