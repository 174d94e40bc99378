import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { addOn, textOf } from '../compiler/requirements/required-states.ts';
import { promotionText } from './app.ts';
import { PromotedRepository } from './promoted-repository.ts';

let promoted: PromotedRepository;
beforeEach(() => {
  vi.stubEnv('GIT_AUTHOR_NAME', 'A');
  vi.stubEnv('GIT_AUTHOR_EMAIL', 'a@example.com');
  vi.stubEnv('GIT_COMMITTER_NAME', 'A');
  vi.stubEnv('GIT_COMMITTER_EMAIL', 'a@example.com');
  promoted = new PromotedRepository();
});
afterEach(() => {
  promoted.repository.remove();
  vi.unstubAllEnvs();
});

interface State {
  readonly version?: string;
  readonly placement?: string;
  readonly clusters?: Parameters<typeof fleetOf>[0];
  readonly deadline?: string;
}

/** An `issuer` that `agent` requires, and that itself requires `crds`. Only the agent has versions. */
function files({ version = '1', placement = 'all', clusters, deadline }: State) {
  const rolloutStrategy = {
    type: 'All',
    ...(deadline !== undefined && { all: { progressDeadline: deadline } }),
  };
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'v', namespace: 'default' } };
  const objects = [
    ...addOn('crds', { placement }),
    ...addOn('issuer', { placement, requires: 'crds' }),
    ...addOn('agent', {
      placement,
      requires: 'issuer',
      rolloutStrategy,
      manifests: [{ ...config, data: { version } }],
      revision: version,
    }),
  ];
  return {
    'apps/hello/app.yaml': textOf(objects),
    'fleet.yaml': fleetOf(clusters ?? { a: { env: 'prod' }, b: { env: 'dev' } }),
  };
}

/** Merges a change, with the output of synth. */
async function merge(state: State): Promise<void> {
  promoted.commit('change', files(state));
  await promoted.synthesized('synth');
}

/** Runs `promote --commit`, and returns its line without hashes. */
async function step(): Promise<string> {
  const { out, err } = await promoted.promote('--commit');
  expect(err).toBe('');
  return out
    .replace(/, commit [0-9a-f]{12}/, '')
    .replace(/ of [0-9a-f]{12}/, '')
    .trim();
}

/** The add-ons of each cluster in Git. */
function inGit(): Readonly<Record<string, string>> {
  const byCluster: Record<string, string> = {};
  for (const name of [...promoted.files().keys()].sort()) {
    const [, cluster, addOn] = /managedclusteraddon_(.+)_(.+)\.yaml$/.exec(name) ?? [];
    if (cluster !== undefined) byCluster[cluster] = `${byCluster[cluster] ?? ''} ${addOn}`.trim();
  }
  return byCluster;
}

/** Promotes until nothing is released, while all agents are healthy. */
async function settle(): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    promoted.sync();
    promoted.pass(1);
    const line = await step();
    if (line === 'hello finished: all clusters have the content of Git') return;
  }
  throw new Error('the promotion does not end');
}

async function begin(): Promise<void> {
  await promoted.begin(['a']);
  promoted.commit('chain', { ...files({}), 'promotions/hello.yaml': promotionText() });
  await promoted.synthesized('synth');
  await settle();
  expect(inGit()).toEqual({ a: 'agent crds issuer', b: 'agent crds issuer' });
}

test('a wave waits for a required add-on that does not change in the release', async () => {
  await begin();
  promoted.hub.setAgent('b', 'failing', 'issuer');
  promoted.sync();
  await merge({ version: '2' });
  expect(await step()).toMatch(
    /^hello advanced: release [0-9a-f]{12} begins: requirements met on 1 of 2 clusters; issuer is not available on b$/,
  );
  expect((await promoted.promote('--commit')).code).toBe(4);
  promoted.pass(600);
  expect(await step()).toBe(
    'hello waits: before wave 1 of 1: requirements met on 1 of 2 clusters; issuer is not available on b',
  );
  promoted.hub.setAgent('b', 'healthy', 'issuer');
  promoted.sync();
  expect(await step()).toBe('hello advanced: wave 1 of 1 starts');
  expect(promoted.read('promotions/hello.yaml')).toContain('requirements met on 2 of 2 clusters');
});

test('a cluster without the required add-on has failed after the deadline of the strategy', async () => {
  await begin();
  promoted.hub.setAgent('b', 'failing', 'issuer');
  promoted.sync();
  await merge({ version: '2', deadline: '30m' });
  expect(await step()).toMatch(/begins: requirements met on 1 of 2 clusters/);
  promoted.pass(31);
  expect(await step()).toBe('hello advanced: wave 1 of 1 starts');
});

test('a cluster that joins gets each add-on after what it requires is Available', async () => {
  await begin();
  await merge({ clusters: { a: { env: 'prod' }, b: { env: 'dev' }, c: { env: 'prod' } } });
  expect(inGit()).toMatchObject({ c: 'crds' });
  expect(await promoted.run(['synth', '--check'])).toMatchObject({ code: 0 });
  expect(await step()).toMatch(/requirements met on 0 of 1 cluster; crds has no ManagedClusterAddOn on c$/);
  promoted.sync();
  expect(await step()).toBe('hello advanced: wave 1 of 2 starts');
  expect(inGit()).toMatchObject({ c: 'crds issuer' });
  promoted.hub.setAgent('c', 'silent', 'issuer');
  promoted.sync();
  expect(await step()).toMatch(/^hello waits: wave 1 of 2: 0 of 1 healthy; c is in progress/);
  promoted.hub.setAgent('c', 'healthy', 'issuer');
  await settle();
  expect(inGit()).toMatchObject({ c: 'agent crds issuer' });
});

test('a cluster that leaves while its wave waits holds nothing', async () => {
  await begin();
  promoted.hub.setAgent('b', 'failing', 'issuer');
  promoted.sync();
  await merge({ version: '2' });
  expect(await step()).toMatch(/issuer is not available on b$/);
  await merge({ version: '2', clusters: { a: { env: 'prod' } } });
  expect(await step()).toMatch(/^hello advanced: wave 1 of 1/);
});

test('a cluster loses a required add-on after those that require it are gone', async () => {
  await begin();
  await merge({ placement: 'prod' });
  // Nothing requires the agent.
  expect(inGit()).toEqual({ a: 'agent crds issuer', b: 'crds issuer' });
  expect(await promoted.run(['synth', '--check'])).toMatchObject({ code: 0 });
  expect(await step()).toMatch(/requirements met on 0 of 1 cluster; agent is still on b$/);
  promoted.sync();
  expect(await step()).toBe('hello advanced: wave 1 of 2 starts');
  expect(inGit()).toMatchObject({ b: 'crds' });
  expect(await step()).toMatch(/^hello waits: wave 1 of 2: 0 of 1 healthy; b still has the add-on/);
  promoted.sync();
  expect(await step()).toBe('hello advanced: wave 2 of 2 starts');
  expect(inGit()).toEqual({ a: 'agent crds issuer' });
  await settle();
});

test('a removal that is rolled back is restored in reverse', async () => {
  await begin();
  const before = promoted.files();
  await merge({ placement: 'prod' });
  promoted.sync();
  await step();
  promoted.sync();
  await step();
  expect(inGit()).toEqual({ a: 'agent crds issuer' });
  const { out } = await promoted.promote('hello', '--abort', '--commit');
  expect(out).toMatch(/^hello advanced: rollback wave 1 of 2/);
  expect(inGit()).toMatchObject({ b: 'crds' });
  promoted.sync();
  expect(await step()).toMatch(/^hello advanced: rollback wave 2 of 2/);
  expect(inGit()).toMatchObject({ b: 'crds issuer' });
  const name = 'clusters/managedclusteraddon_b_crds.yaml';
  expect(promoted.files().get(name)).toBe(before.get(name));
  promoted.sync();
  expect(await step()).toMatch(/the earlier content is restored/);
  expect(await step()).toMatch(/^hello stopped: the content of Git was rolled back/);
  expect(await promoted.run(['synth', '--check'])).toMatchObject({ code: 0 });
});

test('plan shows the removal as waiting', async () => {
  await begin();
  const base = promoted.repository.head();
  await merge({ placement: 'prod' });
  const { out } = await promoted.run(['plan', `${base}..HEAD`]);
  expect(out).toContain('next release');
  expect(out).toContain('agent gone from 1 cluster of issuer');
});
