import { describe, expect, test } from 'vitest';
import { planJsonFaults } from '../compiler/report/report-formats.ts';
import { addOn, app, clusters, config, installed, placement, template } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

/** The plan from one state of an app to another. `output` has further files of the earlier state. */
async function planned(
  before: string,
  after: string | undefined,
  { engine = 'argocd', output = {}, options = [] }: PlanCase = {},
): Promise<string> {
  const settings = `engine: ${engine}\n`;
  const cwd = await folderWith({
    'old/apps/hello/hub.yaml': before,
    'old/apps/hello/fleet.yaml': fleetOf(clusters),
    'old/fleetwright.yaml': settings,
    ...Object.fromEntries(Object.entries(output).map(([file, text]) => [`old/dist/hello/${file}`, text])),
    'new/apps/other/hub.yaml': config('other', 'info'),
    ...(after !== undefined && {
      'new/apps/hello/hub.yaml': after,
      'new/apps/hello/fleet.yaml': fleetOf(clusters),
    }),
    'new/fleetwright.yaml': settings,
  });
  return (await runIn(cwd, ['plan', 'old', 'new', '--app', 'hello', ...options])).out;
}

interface PlanCase {
  readonly engine?: 'argocd' | 'flux' | 'none';
  readonly output?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
}

/** The lines about the engine. */
function sectionOf(text: string): string {
  return /^with (?:Argo CD|Flux)\n(?: .*\n)+/m.exec(text)?.[0] ?? '';
}

/** Without the placement prod, which the add-on no longer names. */
const withoutProd = app
  .replace(installed('prod', 'prod'), '')
  .replace(placement('prod', '{ matchLabels: { env: prod } }'), '')
  .replace(config('prod', 'warn'), '');

describe('the differences of the engine', () => {
  test('is not reported if nothing differs, or if there is no engine', async () => {
    expect(await planned(app, app.replace('"warn"', '"debug"'))).not.toContain('with Argo CD');
    expect(await planned(app, withoutProd, { engine: 'none' })).not.toContain('with ');
  });

  test('says that objects that the hub used are kept until the next change', async () => {
    expect(sectionOf(await planned(app, withoutProd))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          keeps until the next change: AddOnDeploymentConfig default/prod, Placement default/prod
          merge the next change after this one is applied: together they delete too early what this one keeps
      "
    `);
    expect(sectionOf(await planned(app, withoutProd, { engine: 'flux' }))).toContain('with Flux\n');
  });

  test('says that it deletes the remains of an earlier change, and revisions beyond the limit', async () => {
    const revision = (name: string): string =>
      config(name, name).replace(
        'namespace: default }',
        'namespace: default, annotations: { fleetwright.dev/revision-of: prod } }',
      );
    const before = app
      .replace(config('prod', 'warn'), revision('prod-3'))
      .replace('name: prod }]', 'name: prod-3 }]');
    const after = before.replaceAll('prod-3', 'prod-4');
    const files = ['prod-1', 'prod-2', 'prod-3'].map((name) => `addondeploymentconfig_default_${name}.yaml`);
    const left = 'placement_default_old.yaml';
    const output = {
      '.fleetwright.json': JSON.stringify({
        files: [...files, left],
        revisions: { 'addondeploymentconfig_default_prod.yaml': files.toReversed() },
        leaving: { digest: 'a', files: [left] },
      }),
      ...Object.fromEntries(
        ['prod-1', 'prod-2', 'prod-3'].map((name, index) => [files[index] ?? '', revision(name)]),
      ),
      [left]: placement('old', '{}'),
    };
    expect(sectionOf(await planned(before, after, { output }))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          deletes what an earlier change left: AddOnDeploymentConfig default/prod-1, Placement default/old
          keeps as an earlier revision: AddOnDeploymentConfig default/prod-3
      "
    `);
    expect(sectionOf(await planned(before, before, { output }))).toBe('');
  });

  test('says that a removed override takes two steps, and that protected objects are kept', async () => {
    const override = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }]
`;
    const kept = config('kept', 'info').replace(
      'namespace: default }',
      'namespace: default, annotations: { argocd.argoproj.io/sync-options: "Prune=false,Validate=false" } }',
    );
    const before = app + override + config('own', 'info') + kept;
    expect(sectionOf(await planned(before, app))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          keeps until the next change: AddOnDeploymentConfig default/own
          removes the configuration now, and leaves to the hub with the next change: ManagedClusterAddOn c1/hello
          never deletes, because the sync option Prune=false protects it: AddOnDeploymentConfig default/kept
          merge the next change after this one is applied: together they delete too early what this one keeps
      "
    `);
  });

  test('is that add-ons wait for new placements', async () => {
    const after =
      app.replace(installed('stage'), installed('stage') + installed('dev')) +
      placement('dev', '{ matchLabels: { env: dev } }');
    expect(sectionOf(await planned(app, after))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          applies once Placement default/dev has decided: ClusterManagementAddOn hello
      "
    `);
  });

  test('is that compiled delivery lasts as long as its waves', async () => {
    const rollout = '{ type: Progressive, progressive: { maxConcurrency: 2 } }';
    const compiled = (level: string): string =>
      addOn(installed('prod', 'prod', rollout)).replace(
        'metadata: { name: hello }',
        'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled } }',
      ) +
      placement('prod', '{ matchLabels: { env: prod } }') +
      config('base', 'info') +
      config('prod', level) +
      template('t1', '{ level: "{{LEVEL}}" }');
    expect(sectionOf(await planned(compiled('warn'), compiled('debug')))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          applies wave by wave, and holds the sync and later commits of the app until wave 2 is applied: ManagedClusterAddOn c1/hello (wave 1), ManagedClusterAddOn c2/hello (wave 1), ManagedClusterAddOn c3/hello (wave 2)
      "
    `);
    const inFlux = await planned(compiled('warn'), compiled('debug'), { engine: 'flux' });
    expect(sectionOf(inFlux)).toContain('applies wave by wave, wave-1 to wave-2, and holds a later commit');
  });

  test('is that the other add-ons of an app wait for the waves of its compiled delivery', async () => {
    const strategy = '{ type: Progressive, progressive: { maxConcurrency: 1 } }';
    const named = (text: string): string =>
      text.replace('metadata: { name: hello }', 'metadata: { name: other }').replaceAll('t1', 'other');
    const before =
      addOn(installed('prod', 'prod', strategy)).replace(
        'metadata: { name: hello }',
        'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled } }',
      ) +
      named(addOn(installed('prod', 'prod'))) +
      placement('prod', '{ matchLabels: { env: prod } }') +
      config('base', 'info') +
      config('prod', 'warn') +
      config('later', 'warn') +
      template('t1', '{ level: "{{LEVEL}}" }') +
      template('other', '{ level: "{{LEVEL}}" }').replace('addonName: hello', 'addonName: other');
    const [compiled, hub] = before.split(
      /(?=---\napiVersion: \S+\nkind: ClusterManagementAddOn\nmetadata: { name: other)/,
    );
    const after = `${compiled}${hub?.replace('name: prod }]', 'name: later }]')}`;
    expect(after).not.toBe(before);
    expect(sectionOf(await planned(before, after))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          applies once wave 2 of compiled delivery is healthy: ClusterManagementAddOn other
      "
    `);
    expect(sectionOf(await planned(before, after, { engine: 'flux' }))).toBe('');
    // Both wait: for the placement, and for the waves.
    const placed = after.replace(installed('prod', 'later'), installed('prod', 'later') + installed('dev'));
    const json = await planned(before, placed + placement('dev', '{ matchLabels: { env: dev } }'), {
      options: ['-o', 'json'],
    });
    expect(planJsonFaults(json)).toEqual([]);
    const { engine } = JSON.parse(json) as { readonly engine: { readonly effects: readonly unknown[] } };
    expect(engine.effects).toMatchObject([
      { kind: 'waiting', objects: ['ClusterManagementAddOn other'] },
      { kind: 'after waves', objects: ['ClusterManagementAddOn other'] },
    ]);
  });

  test('describes what happens to the objects of an app that leaves the output', async () => {
    expect(sectionOf(await planned(app, undefined))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          deletes if an ApplicationSet made the Application, and otherwise keeps until you delete the Application with its finalizer: AddOnDeploymentConfig default/base, AddOnDeploymentConfig default/prod, AddOnTemplate t1, ClusterManagementAddOn hello, Placement default/prod, Placement default/stage
      "
    `);
    expect(sectionOf(await planned(app, undefined, { engine: 'flux' }))).toContain(
      'keeps until you delete the Kustomizations of the app',
    );
  });
});

test('Markdown, HTML and JSON have it too', async () => {
  const markdown = await planned(app, withoutProd, { options: ['-o', 'markdown'] });
  expect(/### With Argo CD\n\n(?:- .*\n)+/.exec(markdown)?.[0]).toMatchInlineSnapshot(`
    "### With Argo CD

    - \`hello\`: keeps until the next change: \`AddOnDeploymentConfig default/prod\`, \`Placement default/prod\`
    - \`hello\`: merge the next change after this one is applied: together they delete too early what this one keeps
    "
  `);
  const html = await planned(app, withoutProd, { options: ['-o', 'html'] });
  expect(/<h2>With Argo CD<\/h2>\n<ul>\n(?:<li>.*\n)+<\/ul>\n/.exec(html)?.[0]).toMatchInlineSnapshot(`
    "<h2>With Argo CD</h2>
    <ul>
    <li><code>hello</code>: keeps until the next change: <code>AddOnDeploymentConfig default/prod</code>, <code>Placement default/prod</code></li>
    <li><code>hello</code>: merge the next change after this one is applied: together they delete too early what this one keeps</li>
    </ul>
    "
  `);
  const unchanged = await planned(app, app.replace('"warn"', '"debug"'), { options: ['-o', 'html'] });
  expect(unchanged).not.toContain('With Argo CD');
  const json = await planned(app, withoutProd, { options: ['-o', 'json'] });
  expect(planJsonFaults(json)).toEqual([]);
  expect(JSON.parse(json)).toMatchObject({
    engine: {
      engine: 'argocd',
      effects: [
        {
          app: 'hello',
          kind: 'kept',
          objects: ['AddOnDeploymentConfig default/prod', 'Placement default/prod'],
        },
        { app: 'hello', kind: 'merge', objects: [] },
      ],
    },
  });
});
