import { describe, expect, test } from 'vitest';
import { plan } from '../../../src/compiler/plan/plan.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';
import { addOn, config, installed, placement, template } from './states.ts';

const finalizer = 'addon.open-cluster-management.io/addon-pre-delete';
const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' }, c3: { env: 'dev' } });
const hook = (name: string): string => `
      - apiVersion: batch/v1
        kind: Job
        metadata: { name: ${name}, namespace: agents, annotations: { ${finalizer}: "" } }
        spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: "quay.io/a/b:1" }] } } }`;
const withHooks = (...names: string[]): string =>
  template('t1', 'a').replace('manifests:', `manifests:${names.map(hook).join('')}`);

const definition = addOn(installed('prod', 'prod'));
const prod = placement('prod', '{ matchLabels: { env: prod } }');
const configs = config('base', 'info') + config('prod', 'warn');
const whole = definition + prod + configs + withHooks('bye');

/** The findings about hooks of a change to the objects, and to the fleet. */
function findings(
  before: string,
  after: string,
  fleets: readonly [string, string] = [fleet, fleet],
): string[] {
  const [base, head] = [before, after].map(
    (text, side) => resolveText(text, { fleet: fleets[side] ?? '' }).resolution,
  );
  if (base === undefined || head === undefined) throw new Error('two states');
  const { diagnostics } = plan([{ app: 'hello', base, head }], { hub: hubVersion('1.3'), by: [] });
  return diagnostics
    .filter(({ code }) => code === 'FW6046')
    .map(({ severity, message, path, hint }) => `${severity}: ${message}\n${path}\n${hint}`);
}

test('FW6046: an uninstall waits for the hooks of the add-on', () => {
  const nowhere = whole.replace('env: prod', 'env: nowhere');
  expect(findings(whole, nowhere)).toMatchInlineSnapshot(`
    [
      "warning: uninstalling add-on "hello" from 2 clusters waits for pre-delete hook Job agents/bye
    spec.agentSpec.workload.manifests[0]
    watch \`fleetwright status\`, which names the hooks that are still running",
    ]
  `);
  expect(findings(whole.replace(hook('bye'), hook('bye') + hook('later')), nowhere)[0]).toContain(
    'waits for 2 pre-delete hooks\n',
  );
  expect(findings(whole.replace(hook('bye'), ''), nowhere)).toEqual([]);
  expect(findings(whole, whole)).toEqual([]);
});

test('it hangs on clusters that are not available', () => {
  const silent = fleet.replace(/(name: "?c2"?[^]*?\n)(---|$)/, (_, cluster: string, end: string) => {
    const condition =
      '{ type: ManagedClusterConditionAvailable, status: "Unknown", reason: R, message: m, lastTransitionTime: "2026-01-01T00:00:00Z" }';
    return `${cluster}status: { conditions: [${condition}] }\n${end}`;
  });
  expect(silent).not.toBe(fleet);
  expect(findings(whole, prod + configs + withHooks('bye'), [silent, silent])[0]).toContain(
    'from 2 clusters waits for pre-delete hook Job agents/bye, and hangs on 1 cluster that is not available, such as "c2"\n',
  );
});

test('it hangs if what renders the hooks is deleted first', () => {
  expect(findings(whole, prod)).toMatchInlineSnapshot(`
    [
      "warning: uninstalling add-on "hello" from 2 clusters waits for pre-delete hook Job agents/bye. The change also removes the AddOnTemplate and the AddOnDeploymentConfig: if they are deleted before the hooks are complete, the hub cannot render the hooks, and never deletes the ManagedClusterAddOns
    spec.agentSpec.workload.manifests[0]
    keep the AddOnTemplate and the AddOnDeploymentConfig in Git until the ManagedClusterAddOns are gone, and remove them with a later change",
    ]
  `);
});

test('nothing waits for hooks of add-ons that stay, or that have compiled delivery', () => {
  const manual = addOn('', 't1', 'Manual') + prod + configs + withHooks('bye');
  expect(findings(whole, manual)).toEqual([]);
  const compiled = whole.replace(
    'metadata: { name: hello }',
    'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled, addon.open-cluster-management.io/lifecycle: self } }',
  );
  expect(compiled).not.toBe(whole);
  expect(findings(compiled, prod)).toEqual([]);
});

test('with compiled delivery it waits for hooks that the companion runs, whatever else is removed', () => {
  const compiled = whole.replace(
    'metadata: { name: hello }',
    'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled, fleetwright.dev/pre-delete-hooks: run } }',
  );
  expect(findings(compiled, prod)).toEqual([
    'warning: uninstalling add-on "hello" from 2 clusters waits for pre-delete hook Job agents/bye\nspec.agentSpec.workload.manifests[0]\nwatch `fleetwright status`, which names the hooks that are still running',
  ]);
});

test('a cluster that leaves the fleet is not counted', () => {
  const smaller = fleetOf({ c1: { env: 'prod' }, c3: { env: 'dev' } });
  expect(findings(whole, whole, [fleet, smaller])).toEqual([]);
});

describe('in hosted mode', () => {
  const location = 'addon.open-cluster-management.io/hosted-manifest-location';
  const located = (name: string, where: string): string =>
    hook(name).replace('annotations: {', `annotations: { ${location}: ${where},`);
  const agent = `
      - { apiVersion: v1, kind: ServiceAccount, metadata: { name: host-agent, namespace: agents, annotations: { ${location}: hosting } } }`;
  const hooks = located('bye', 'managed') + located('bye-host', 'hosting') + located('never', 'none');
  const compiled = whole
    .replace(hook('bye'), agent + hooks)
    .replace(
      'metadata: { name: hello }',
      'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled, fleetwright.dev/pre-delete-hooks: run } }',
    );
  const hosted = 'annotations: { addon.open-cluster-management.io/hosting-cluster-name: c3 }';
  const hostedFleet = fleet
    .replace('name: c1', `name: c1, ${hosted}`)
    .replace('name: c2', `name: c2, ${hosted}`);
  const ofSilent = (text: string, name: string): string =>
    text
      .split('---')
      .map((object) =>
        object.includes(`metadata: { name: ${name},`)
          ? object.replace('status: "True"', 'status: "Unknown"')
          : object,
      )
      .join('---');

  test('an uninstall waits for the hooks on both clusters, and hangs on either', () => {
    expect(hostedFleet.split(hosted)).toHaveLength(3);
    expect(findings(compiled, prod, [hostedFleet, hostedFleet])[0]).toContain(
      'from 2 clusters waits for 2 pre-delete hooks\n',
    );
    const silent = ofSilent(ofSilent(hostedFleet, 'c1'), 'c3');
    expect(findings(compiled, prod, [hostedFleet, silent])[0]).toContain(
      'waits for 2 pre-delete hooks, and hangs on 1 cluster that is not available, such as "c1" and 1 hosting cluster that is not available, such as "c3"\n',
    );
  });

  test('hooks on a hosting cluster that leaves are not run', () => {
    const one = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' } });
    expect(findings(compiled, prod, [hostedFleet, one])[0]).toContain(
      'waits for pre-delete hook Job agents/bye. Hooks on hosting cluster "c3" are not run: the fleet no longer has it, or it is being deleted\n',
    );
    const alone = compiled.replace(located('bye', 'managed'), '');
    expect(findings(alone, prod, [hostedFleet, one])).toMatchInlineSnapshot(`
      [
        "warning: uninstalling add-on "hello" from 2 clusters does not run pre-delete hook Job agents/bye-host. Hooks on hosting cluster "c3" are not run: the fleet no longer has it, or it is being deleted
      spec.agentSpec.workload.manifests[1]
      uninstall the add-on before its hosting cluster leaves, or clean up by hand what the hooks would",
      ]
    `);
  });
});
