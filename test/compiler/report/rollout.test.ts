import { describe, expect, test } from 'vitest';
import { escapeHtml } from '../../../src/compiler/report/html/escape-html.ts';
import { rolloutHtml } from '../../../src/compiler/report/html/rollout-html.ts';
import { rounds } from '../../../src/compiler/report/json/rollout-json.ts';
import { rolloutText } from '../../../src/compiler/report/text/rollout-text.ts';
import { predictText } from '../rollout/predict-text.ts';
import {
  addOn,
  config,
  fleet,
  grouped,
  onCluster,
  reference,
  text,
  type Grouped,
  type Rollout,
} from '../rollout/scenes.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3'] };
const perGroup: Rollout = { type: 'ProgressivePerGroup', progressivePerGroup: { minSuccessTime: '90s' } };
const special = [onCluster('c3', { configs: [reference('special')] }), config('special')];
const before = text(...fleet(groups), grouped(groups), addOn({ pl: perGroup }), config(), ...special);
const updated = text(
  addOn({ pl: perGroup }, 'settings-2'),
  config('settings-2', '2'),
  config('special', '2'),
);

describe('rounds', () => {
  test('are those of all add-ons together, with each cluster once', () => {
    const other = addOn(
      { pl: { type: 'Progressive', progressive: { maxConcurrency: 1 } } },
      'settings',
      'other',
    );
    const { install } = predictText(`${before}\n---\n${text(other)}`);
    expect(rounds(install)).toEqual([['c1'], ['c2', 'c3'], ['c3']]);
  });
});

describe('text', () => {
  test('prints parts, times, and the configurations of single clusters', () => {
    expect(rolloutText(predictText(before, { update: updated, failing: ['c2'] }), 10)).toMatchInlineSnapshot(`
      "agent: installation in 2 waves, finished after 1m30s to 3m
        wave 1: 1 cluster
          default/pl, group 0 "canary": c1
        wave 2 after 0 to 1m30s: 2 clusters
          default/pl, group 1 "prod": c2, c3
        any group can start first if ManagedClusterAddOns of an earlier installation are left: they count as successful until they are removed
        default/pl reports: selected clusters 3. configured addons 3/3 completed with no errors, 0 failed 0 timeout.
      agent: update in 2 waves, finished after 1m30s at the earliest
        wave 1: 2 clusters
          default/pl, group 1 "prod", own configuration edited: c3
          default/pl, group 0 "canary": c1
        wave 2 after 1m30s: 1 cluster
          default/pl, group 1 "prod": c2
        never ready: c2
        default/pl reports: selected clusters 3. configured addons 3/3 progressing..., 0 failed 0 timeout.
      "
    `);
  });

  test('names the requested number of clusters', () => {
    const names = Array.from({ length: 30 }, (_, index) => `c${index + 10}`);
    const all = text(
      ...fleet({ prod: names }),
      grouped({ prod: names }),
      addOn({ pl: { type: 'All' } }),
      config(),
    );
    expect(rolloutText(predictText(all), 3)).toContain('c10, c11, c12 and 27 more\n');
  });

  test('prints the uninstalled add-ons', () => {
    const gone = onCluster('c9', { status: {} });
    expect(rolloutText(predictText(before, { fleet: text(gone) }), 10)).toContain(
      '  UNINSTALLED immediately from 1 cluster: c9\n',
    );
  });
});

describe('HTML', () => {
  const html = rolloutHtml([predictText(before, { update: updated, failing: ['c2'] })]);

  test('has a row for each group and a column for each wave', () => {
    const table = html.slice(
      html.indexOf('<table class="groups">'),
      html.indexOf('</table></div>\n<p class="condition"'),
    );
    expect(table).toMatchInlineSnapshot(`
      "<table class="groups">
      <thead><tr><th scope="col">group</th><th scope="col">wave 1</th><th scope="col">wave 2<span>after 0 to 1m30s</span></th></tr></thead>
      <tbody>
      <tr><th scope="row">default/pl, group 0 &quot;canary&quot;</th><td><details class="part"><summary aria-label="wave 1, default/pl, group 0 &quot;canary&quot;: 1 cluster">1 cluster</summary><ul><li>c1</li></ul></details></td><td></td></tr>
      <tr><th scope="row">default/pl, group 1 &quot;prod&quot;</th><td></td><td><details class="part"><summary aria-label="wave 2, default/pl, group 1 &quot;prod&quot;: 2 clusters">2 clusters</summary><ul><li>c2</li><li>c3</li></ul></details></td></tr>
      </tbody>
      "
    `);
  });

  test('links a summary with the rollouts, and warns of stops and uninstalled add-ons', () => {
    expect(html).toContain(
      '<li><a href="#rollout-0">agent: installation</a> in 2 waves, finished after 1m30s to 3m</li>\n',
    );
    expect(html).toContain('<section id="rollout-1" class="rollout">\n<h2>agent: update</h2>');
    const gone = rolloutHtml([predictText(before, { fleet: text(onCluster('c9', { status: {} })) })]);
    expect(gone).toContain('<li class="alarm"><a href="#rollout-0">agent: installation</a>');
  });

  test('names the hub of each rollout if there are several', () => {
    const { install } = predictText(before);
    const both = rolloutHtml([
      { hub: 'eu', install },
      { hub: 'us', install },
    ]);
    expect(both.match(/<h2>.*?<\/h2>/g)).toEqual([
      '<h2>agent (hub eu): installation</h2>',
      '<h2>agent (hub us): installation</h2>',
    ]);
  });

  test('needs nothing but itself', () => {
    expect(html).not.toMatch(/src=|href="(?!#rollout-\d+")|@import|url\(/);
    expect(html).toMatch(/content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
  });

  test('lets nothing out of its place', () => {
    expect(escapeHtml(`<a href="x" title='y'>&</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;',
    );
  });
});
