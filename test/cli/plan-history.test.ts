import { expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

/** An app whose placements select this number of clusters. */
const selecting = (number: number): string =>
  app.replaceAll('spec:\n  predicates:', `spec:\n  numberOfClusters: ${number}\n  predicates:`);

const joined = { 'a-new-one': { env: 'prod', region: 'eu' }, ...clusters };

/** The plan from one state to the other. */
async function planned(
  base: Readonly<Record<string, string>>,
  head: Readonly<Record<string, string>>,
): Promise<Pick<Awaited<ReturnType<typeof runIn>>, 'out' | 'err'>> {
  const inFolder = (folder: string, files: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
  const cwd = await folderWith(Object.fromEntries([...inFolder('a', base), ...inFolder('b', head)]));
  return await runIn(cwd, ['plan', 'a', 'b']);
}

const stateOf = (hub: string, fleet = clusters): Readonly<Record<string, string>> => ({
  'apps/hello/hub.yaml': hub,
  'fleet.yaml': fleetOf(fleet),
});

test('a cluster that joins does not displace the clusters of the earlier state', async () => {
  const { out, err } = await planned(stateOf(selecting(1)), stateOf(selecting(1), joined));
  expect(out).toContain('plan: no add-on changes');
  expect(err).toContain('warning FW8150: which clusters Placement default/prod has now depends on');
});

test('a cluster that has left is replaced, and the others stay', async () => {
  const { c1: _, ...left } = clusters;
  const { out } = await planned(
    stateOf(selecting(2)),
    stateOf(selecting(2), { ...left, 'a-new-one': { env: 'prod', region: 'eu' } }),
  );
  expect(out).toContain('UNINSTALLED');
  expect(out).toContain('c1');
});

test('states without changes have no findings, whatever the history', async () => {
  const { err } = await planned(stateOf(selecting(1)), stateOf(selecting(1)));
  expect(err).not.toContain('FW8150');
});

test('placements without numberOfClusters have no findings', async () => {
  const { err } = await planned(stateOf(app), stateOf(app, joined));
  expect(err).not.toContain('FW8150');
});

test('compiled delivery follows the snapshot: what joins displaces, as in the output', async () => {
  const compiled = selecting(1).replaceAll(
    'metadata: { name: hello }\n',
    'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled } }\n',
  );
  expect(compiled).toContain('compiled');
  const { out, err } = await planned(stateOf(compiled), stateOf(compiled, joined));
  expect(out).toContain('loses c1: other clusters rank above it in Placement "default/prod"');
  expect(out).toContain('gains a-new-one: the cluster is new in the fleet');
  expect(err).toContain(
    'warning FW8150: Placement default/prod is one of compiled delivery, which starts from the earlier decisions of the snapshot, and no snapshot contains them: 4 clusters match, it selects 1',
  );
});
