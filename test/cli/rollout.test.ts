import { describe, expect, test } from 'vitest';
import { addOn, config, fleet, grouped, text, type Rollout } from '../compiler/rollout/scenes.ts';
import { folderWith, runIn } from './terminal.ts';

const groups = { canary: ['c1', 'c2'], prod: ['c3', 'c4', 'c5'] };
const perGroup: Rollout = {
  type: 'ProgressivePerGroup',
  progressivePerGroup: { minSuccessTime: '5m', progressDeadline: '10m' },
};
const files = {
  'app.yaml': text(grouped(groups), addOn({ pl: perGroup }), config()),
  'fleet.yaml': text(...fleet(groups)),
  'update.yaml': text(addOn({ pl: perGroup }, 'settings-2'), config('settings-2', '2')),
};

async function rollout(...options: string[]) {
  const folder = await folderWith(files);
  return await runIn(folder, ['rollout', 'app.yaml', '--fleet', 'fleet.yaml', ...options]);
}

describe('rollout', () => {
  test('prints the waves of the installation', async () => {
    const { code, out } = await rollout();
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "agent: installation in 2 waves, finished after 5m to 10m
        wave 1: 2 clusters
          default/pl, group 0 "canary": c1, c2
        wave 2 after 0 to 5m: 3 clusters
          default/pl, group 1 "prod": c3, c4, c5
        any group can start first if ManagedClusterAddOns of an earlier installation are left: they count as successful until they are removed
        default/pl reports: selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.
      "
    `);
  });

  test('prints the waves of an update after that', async () => {
    const { code, out } = await rollout('--update', 'update.yaml');
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "agent: installation in 2 waves, finished after 5m to 10m
        wave 1: 2 clusters
          default/pl, group 0 "canary": c1, c2
        wave 2 after 0 to 5m: 3 clusters
          default/pl, group 1 "prod": c3, c4, c5
        any group can start first if ManagedClusterAddOns of an earlier installation are left: they count as successful until they are removed
        default/pl reports: selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.
      agent: update in 2 waves, finished after 0 to 10m
        wave 1: 2 clusters
          default/pl, group 0 "canary": c1, c2
        wave 2 after 0 to 5m: 3 clusters
          default/pl, group 1 "prod": c3, c4, c5
        default/pl reports: selected clusters 5. configured addons 5/5 completed with no errors, 0 failed 0 timeout.
      "
    `);
  });

  test('prints where an update that fails on a cluster stops', async () => {
    const { out } = await rollout('--update', 'update.yaml', '--fail', 'c5,c1');
    expect(out.slice(out.indexOf('agent: update'))).toMatchInlineSnapshot(`
      "agent: update stops after 1 wave
        wave 1: 2 clusters
          default/pl, group 0 "canary": c1, c2
        never ready: c1
        stops at default/pl: "c1" failed, more than maxFailures allows; 3 clusters left as before: c3, c4, c5
        default/pl reports: selected clusters 5. configured addons 1/5 progressing..., 0 failed 1 timeout.
      "
    `);
  });

  test('prints where an installation stops if a cluster is silent', async () => {
    const { out } = await rollout('--silent', 'c2');
    expect(out).toMatchInlineSnapshot(`
      "agent: installation stops after 1 wave
        wave 1: 2 clusters
          default/pl, group 0 "canary": c1, c2
        never ready: c2
        stops at default/pl: waits for "c2", indefinitely: the hub does not know when it began; 3 clusters left without the configuration: c3, c4, c5
        default/pl reports: selected clusters 5. configured addons 2/5 progressing..., 0 failed 0 timeout.
      "
    `);
  });

  test('prints JSON: rounds of all add-ons together, then each add-on', async () => {
    const { code, out } = await rollout('--update', 'update.yaml', '--fail', 'c1', '-o', 'json');
    expect(code).toBe(0);
    const document = JSON.parse(out);
    expect(document).toMatchObject({ install: [groups.canary, groups.prod], update: [groups.canary] });
    expect(document.addOns.agent.update).toMatchInlineSnapshot(`
      {
        "conditions": [
          {
            "message": "selected clusters 5. configured addons 1/5 progressing..., 0 failed 1 timeout.",
            "placement": "default/pl",
            "reason": "Progressing",
            "status": "True",
            "type": "Progressing",
          },
        ],
        "settledAfterSeconds": 600,
        "settledEarliestSeconds": 600,
        "stops": [
          {
            "culprits": [
              "c1",
            ],
            "left": [
              "c3",
              "c4",
              "c5",
            ],
            "message": ""c1" failed, more than maxFailures allows",
            "placement": "default/pl",
            "reason": "too many failures",
          },
        ],
        "uninstalled": [],
        "unready": [
          "c1",
        ],
        "waves": [
          {
            "afterSeconds": 0,
            "clusters": [
              "c1",
              "c2",
            ],
            "conditions": [
              {
                "message": "selected clusters 5. configured addons 2/5 progressing..., 0 failed 0 timeout.",
                "placement": "default/pl",
                "reason": "Progressing",
                "status": "True",
                "type": "Progressing",
              },
            ],
            "earliestSeconds": 0,
            "parts": [
              {
                "cause": "strategy",
                "clusters": [
                  "c1",
                  "c2",
                ],
                "group": {
                  "index": 0,
                  "mandatory": false,
                  "name": "canary",
                },
                "placement": "default/pl",
              },
            ],
          },
        ],
      }
    `);
  });

  test('prints no update if nothing changes', async () => {
    const { out } = await rollout('-o', 'json');
    expect(Object.keys(JSON.parse(out))).toEqual(['install', 'addOns']);
  });

  test('prints one HTML file', async () => {
    const { code, out } = await rollout('-o', 'html');
    expect(code).toBe(0);
    expect(out).toMatch(/^<!doctype html>\n[^]*<\/html>\n$/);
  });

  test('warns of an edit in place, and finds nothing wrong with it', async () => {
    const folder = await folderWith({ ...files, 'edit.yaml': text(config('settings', '2')) });
    const { code, err } = await runIn(folder, [
      'rollout',
      'app.yaml',
      '--fleet',
      'fleet.yaml',
      '--update',
      'edit.yaml',
    ]);
    expect(code).toBe(0);
    expect(err).toContain('warning FW7209: ');
    expect(err).toContain('edit.yaml:1');
  });

  test('exits with 1 if a value stops the hub, and prints the result', async () => {
    const broken: Rollout = { type: 'Progressive', progressive: { maxConcurrency: '2' } };
    const folder = await folderWith({
      ...files,
      'app.yaml': text(grouped(groups), addOn({ pl: broken }), config()),
    });
    const { code, out, err } = await runIn(folder, ['rollout', 'app.yaml', '--fleet', 'fleet.yaml']);
    expect(code).toBe(1);
    expect(err).toContain('error FW5001: ');
    expect(out).toMatchInlineSnapshot(`
      "agent: installation stops immediately
        stops: failed to parse the provided maxConcurrency: '2' is an invalid maximum threshold value: string is not a percentage; 5 clusters left without the configuration: c1, c2, c3, c4, c5
      "
    `);
  });

  test('prints nothing if an object is rejected', async () => {
    const folder = await folderWith({ ...files, 'update.yaml': 'kind: Placement\n' });
    const { code, out } = await runIn(folder, [
      'rollout',
      'app.yaml',
      '--fleet',
      'fleet.yaml',
      '--update',
      'update.yaml',
    ]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  test('does not take a name that is not in the fleet for a cluster that is well', async () => {
    const { code, err } = await rollout('--fail', 'c1,c9');
    expect(code).toBe(2);
    expect(err).toBe('fleetwright: the fleet has no cluster "c9"\n');
  });
});
