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

  test('says that objects that the hub may use are kept', async () => {
    expect(sectionOf(await planned(app, withoutProd))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          keeps, because clusters may still use them: AddOnDeploymentConfig default/prod, Placement default/prod
      "
    `);
    expect(sectionOf(await planned(app, withoutProd, { engine: 'flux' }))).toContain('with Flux\n');
  });

  test('says which revisions leave Git beyond the limit', async () => {
    const annotations = "fleetwright.dev/immutable: 'true', fleetwright.dev/revision-history-limit: '1'";
    const revision = (level: string): string =>
      config('prod', level).replace(
        'namespace: default }',
        `namespace: default, annotations: { ${annotations} } }`,
      );
    const before = app.replace(config('prod', 'warn'), revision('warn'));
    const after = app.replace(config('prod', 'warn'), revision('debug'));
    const earlier = (name: string): string =>
      config(name, name).replace(
        'namespace: default }',
        'namespace: default, annotations: { fleetwright.dev/revision-of: prod } }',
      );
    const files = ['prod-2', 'prod-1'].map((name) => `addondeploymentconfig_default_${name}.yaml`);
    const old = 'placement_default_old.yaml';
    const output = {
      '.fleetwright.json': JSON.stringify({
        files: [...files, old],
        revisions: { 'addondeploymentconfig_default_prod.yaml': files },
        removed: { placement: [old] },
      }),
      [files[0] ?? '']: earlier('prod-2'),
      [files[1] ?? '']: earlier('prod-1'),
      [old]: placement('old', '{}'),
    };
    const text = sectionOf(await planned(before, after, { output })).replaceAll(
      /prod-[0-9a-f]{10}/g,
      'prod-HASH',
    );
    expect(text).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          leaves on the hub: delete them there once nothing uses them: AddOnDeploymentConfig default/prod-1
          keeps as an earlier revision: AddOnDeploymentConfig default/prod-HASH
      "
    `);
  });

  test('says that a removed override is left to the hub, and that objects protect themselves', async () => {
    const override = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: own }]
`;
    const kept = `
---
apiVersion: v1
kind: ConfigMap
metadata: { name: kept, namespace: default, annotations: { argocd.argoproj.io/sync-options: "Prune=false,Validate=false" } }
`;
    const before = app + override + config('own', 'info') + kept;
    expect(sectionOf(await planned(before, app))).toMatchInlineSnapshot(`
      "with Argo CD
        app hello
          keeps, because clusters may still use them: AddOnDeploymentConfig default/own
          removes the configuration, and leaves to the hub: ManagedClusterAddOn c1/hello
          never deletes, because the sync option Prune=false protects it: ConfigMap default/kept
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
      'leaves on the hub: delete them there once nothing uses them: AddOnDeploymentConfig default/base',
    );
  });
});

test('Markdown, HTML and JSON have it too', async () => {
  const markdown = await planned(app, withoutProd, { options: ['-o', 'markdown'] });
  expect(/### With Argo CD\n\n(?:- .*\n)+/.exec(markdown)?.[0]).toMatchInlineSnapshot(`
    "### With Argo CD

    - \`hello\`: keeps, because clusters may still use them: \`AddOnDeploymentConfig default/prod\`, \`Placement default/prod\`
    "
  `);
  const html = await planned(app, withoutProd, { options: ['-o', 'html'] });
  expect(/<h2>With Argo CD<\/h2>\n<ul>\n(?:<li>.*\n)+<\/ul>\n/.exec(html)?.[0]).toMatchInlineSnapshot(`
    "<h2>With Argo CD</h2>
    <ul>
    <li><code>hello</code>: keeps, because clusters may still use them: <code>AddOnDeploymentConfig default/prod</code>, <code>Placement default/prod</code></li>
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
      ],
    },
  });
});
