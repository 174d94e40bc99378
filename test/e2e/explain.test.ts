import { afterAll, beforeAll, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { app, clusters } from '../plan/states.ts';
import { GitRepository } from './repository.ts';

let repository: GitRepository;

beforeAll(() => {
  repository = new GitRepository();
  repository.write({ 'apps/hello/hub.yaml': app, 'apps/hello/fleet.yaml': fleetOf(clusters) });
});

afterAll(() => {
  repository.remove();
});

test('explain finds the app that has the add-on', async () => {
  const { code, out, err } = await repository.fleetwright(['explain', 'c1', 'hello', 'customizedVariables']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatchInlineSnapshot(`
    ""c1" has "hello", configured through Placement "default/prod"
    in an installation its turn is wave 1 of 1

    configuration
      addondeploymentconfigs.addon.open-cluster-management.io
        uses default/prod, from placement default/prod (apps/hello/hub.yaml:20)
        not default/base, from default: replaced by placement (apps/hello/hub.yaml:9)
      addontemplates.addon.open-cluster-management.io
        uses t1, from default (apps/hello/hub.yaml:8)

    values
      spec.customizedVariables[LEVEL].value: "warn"
        from AddOnDeploymentConfig default/prod, placement default/prod (apps/hello/hub.yaml:60)
        not "info" by default/base, default: replaced by placement (apps/hello/hub.yaml:50)
    "
  `);
});

test('explain says that nothing sets a field', async () => {
  const { code, out } = await repository.fleetwright(['explain', 'c1', 'hello', 'customisedVariables']);
  expect(code).toBe(0);
  expect(out).toMatch(/\nvalues\n  nothing sets customisedVariables\n$/);
  const { out: manifest } = await repository.fleetwright(['explain', 'c1', 'hello', 'Deployment/none']);
  expect(manifest).toMatch(/\nvalues\n  nothing sets Deployment\/none\n$/);
});

test('explain gives its answer as JSON, and reads other paths', async () => {
  const { out } = await repository.fleetwright([
    'explain',
    'c6',
    'hello',
    '--path',
    'apps/hello',
    '-o',
    'json',
  ]);
  expect(JSON.parse(out)).toMatchObject({
    results: [{ app: '', addOn: 'hello', cluster: 'c6', installed: false, values: [] }],
  });
});

test('explain says where there is no such add-on, app or folder', async () => {
  const errorOf = async (...parameters: string[]): Promise<string> => {
    const { code, err } = await repository.fleetwright(['explain', 'c1', ...parameters]);
    expect(code).toBe(2);
    return err;
  };
  expect(await errorOf('other')).toBe('fleetwright: there is no add-on other\n');
  expect((await repository.fleetwright(['explain', 'c9', 'hello'])).err).toBe(
    'fleetwright: the fleet has no cluster c9\n',
  );
  expect(await errorOf('hello', '--app', 'no')).toBe(
    'fleetwright: there is no app no in apps\n  the apps are "hello"\n',
  );
  expect(await errorOf('hello', '--apps', 'no')).toBe(
    'fleetwright: there is no folder no\n  run the command in a workspace, or name the folder with --apps; fleetwright init writes a workspace\n',
  );
});

test('who-uses and affected tell the clusters', async () => {
  const { out } = await repository.fleetwright(['who-uses', 'default/prod']);
  expect(out).toBe(
    'addondeploymentconfigs default/prod\n  hello, from placement default/prod: 3 clusters: c1, c2, c3\n',
  );
  const { out: nobody } = await repository.fleetwright(['who-uses', 'default/nothing']);
  expect(nobody).toBe('no add-on names default/nothing\n');
  const { out: files } = await repository.fleetwright(['affected', './apps/hello/hub.yaml']);
  expect(files).toContain('Placement default/stage');
  expect(files).toContain('hello: 5 clusters: c1, c2, c3, c4, c5\n');
});
