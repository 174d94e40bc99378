import { describe, expect, test } from 'vitest';
import { addOn, app, clusters, installed, placement } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const files = (settings: string, text = app): Record<string, string> => ({
  'apps/hello/hub.yaml': text,
  'apps/hello/fleet.yaml': fleetOf(clusters),
  'fleetwright.yaml': settings,
});

const production = `invariants:
  production has hello:
    where: { labels: { env: prod } }
    has: [hello]
`;

const atMost = `invariants:
  edits of regions keep hello:
    reason: it collects what auditors ask for
    edits: 1
    keys: [region]
    keeps: true
  edits keep hello:
    edits: 1
    before: { labels: { env: prod } }
    keeps: [hello]
`;

describe('prove', () => {
  test('answers each invariant with its smallest counterexample', async () => {
    const cwd = await folderWith(files(`${production}${atMost.replace('invariants:\n', '')}`));
    expect(await runIn(cwd, ['prove'])).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error FW8201: "edits keep hello" does not hold for c1 with no label env instead of label env=prod, which uninstalls hello
        --> fleetwright.yaml:11:5
         |
      11 |     edits: 1
         |     ^

      1 error
      ",
        "out": "proved   production has hello
      proved   edits of regions keep hello
      refuted  edits keep hello
        not for c1 with no label env instead of label env=prod
        the edit uninstalls hello
        now: fleetwright explain c1
      3 invariants: 2 proved, 1 refuted
      ",
      }
    `);
  });

  test('passes if everything is proved', async () => {
    const cwd = await folderWith(files(production));
    expect(await runIn(cwd, ['prove'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "proved  production has hello
      1 invariant: 1 proved
      ",
      }
    `);
  });

  test('names the obstacle, and fails only with --strict', async () => {
    const some = app.replaceAll('\nspec:\n  predicates:', '\nspec:\n  numberOfClusters: 2\n  predicates:');
    const cwd = await folderWith(files(production, some));
    expect(await runIn(cwd, ['prove'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "warning FW8202: "production has hello" cannot be proved for a cluster with label env=prod: Placement default/stage spec.numberOfClusters: it selects 2 of the clusters that match, by their scores; Placement default/prod spec.numberOfClusters: it selects 2 of the clusters that match, by their scores
       --> fleetwright.yaml:3:5
        |
      3 |     where: { labels: { env: prod } }
        |     ^

      1 warning
      ",
        "out": "cannot prove  production has hello
        perhaps not for a cluster with label env=prod
        because of Placement default/stage spec.numberOfClusters: it selects 2 of the clusters that match, by their scores
        because of Placement default/prod spec.numberOfClusters: it selects 2 of the clusters that match, by their scores
      1 invariant: 1 cannot prove
      ",
      }
    `);
    expect(await runIn(cwd, ['prove', '--strict'])).toMatchObject({ code: 1 });
  });

  test('answers nothing about a misspelled name', async () => {
    const cwd = await folderWith(
      files(
        'invariants:\n  misspelled:\n    where: { sets: [gloabl] }\n    lacks: [helo]\n  empty: {}\n  static:\n    keeps: true\n',
      ),
    );
    expect(await runIn(cwd, ['prove'])).toMatchInlineSnapshot(`
      {
        "code": 1,
        "err": "error FW8203: the invariant "misspelled" names the add-on helo, which does not exist
       --> fleetwright.yaml:3:5
        |
      3 |     where: { sets: [gloabl] }
        |     ^
        = hint: did you mean "hello"?

      error FW8203: the invariant "misspelled" names the ManagedClusterSet gloabl, which does not exist
       --> fleetwright.yaml:3:5
        |
      3 |     where: { sets: [gloabl] }
        |     ^
        = hint: did you mean "global"?

      error FW8203: the invariant "empty" requires nothing
       --> fleetwright.yaml:5:10
        |
      5 |   empty: {}
        |          ^
        = hint: say what must hold: has, lacks, only, oneOf, atMostOneOf, configs, values, onePlacementOf, atMostOnePlacementOf, satisfies, are, keeps, unchanged or others

      error FW8203: the invariant "static" has keeps, but no edits
       --> fleetwright.yaml:7:5
        |
      7 |     keeps: true
        |     ^
        = hint: add edits: 1, or remove keeps

      4 errors
      ",
        "out": "no invariant was answered
      ",
      }
    `);
  });

  test('prints the clusters of counterexamples, which explain reads', async () => {
    const cwd = await folderWith(files(atMost));
    const { code, out } = await runIn(cwd, ['prove', 'edits keep hello', '--example']);
    expect(code).toBe(1);
    const folder = await folderWith({ ...files(atMost), 'example.yaml': out });
    const explained = await runIn(folder, [
      'explain',
      'c1-after-edit',
      '--fleet',
      'apps/hello/fleet.yaml',
      '--fleet',
      'example.yaml',
    ]);
    expect({ ...explained, out: explained.out.split('\n').slice(0, 4) }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": [
          "c1-after-edit is available",
          "  labels: cluster.open-cluster-management.io/clusterset=default, region=eu",
          "  cluster sets: default, global",
          "",
        ],
      }
    `);
  });

  test('lists the edits that uninstall most', async () => {
    const cwd = await folderWith(files(''));
    expect(await runIn(cwd, ['prove', '--suggest'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "removing label env from any of 5 clusters uninstalls hello
      setting label env to another value on any of 5 clusters uninstalls hello
      ",
      }
    `);
    expect(await runIn(cwd, ['prove', '--suggest', 'default/porod'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "fleetwright: there is no Placement default/porod
        did you mean "default/prod"?
      ",
        "out": "",
      }
    `);
  });

  test('has JSON with the counterexample', async () => {
    const cwd = await folderWith(files(atMost));
    const { out } = await runIn(cwd, ['prove', 'edits keep hello', '-o', 'json']);
    expect(JSON.parse(out)).toMatchObject({
      results: [
        {
          verdicts: [{ answer: 'refuted', counterexample: { cluster: 'c1', effects: [{ addOn: 'hello' }] } }],
        },
      ],
    });
  });

  test('says where invariants are written, if there are none, and which there are', async () => {
    const empty = await folderWith(files(''));
    expect(await runIn(empty, ['prove'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "fleetwright: fleetwright.yaml has no invariants
        write what must hold below invariants: docs/prove.md begins with three; or look for what needs one with --suggest
      ",
        "out": "",
      }
    `);
    const cwd = await folderWith(files(production));
    expect((await runIn(cwd, ['prove', 'production has helo'])).err).toMatchInlineSnapshot(`
      "fleetwright: there is no invariant "production has helo"
        did you mean "production has hello"?
      "
    `);
  });
});

describe('plan', () => {
  const everywhere = app;
  const onlyStage = `${placement('stage', '{ matchLabels: { env: stage } }')}${addOn(installed('stage'))}`;

  /** Two folders with the same invariants and different apps. */
  function states(old: string, next: string): Record<string, string> {
    const below = (folder: string, text: string): [string, string][] =>
      Object.entries(files(production, text)).map(([name, content]) => [`${folder}/${name}`, content]);
    return Object.fromEntries([...below('old', old), ...below('new', next)]);
  }

  const findingsOf = async (old: string, next: string): Promise<readonly string[]> => {
    const cwd = await folderWith(states(old, next));
    const { err } = await runIn(cwd, ['plan', 'old', 'new']);
    return err.split('\n').filter((line) => /FW82/.test(line));
  };

  test('reports an invariant that the change breaks as an error', async () => {
    expect(await findingsOf(everywhere, onlyStage)).toMatchInlineSnapshot(`
      [
        "error FW8201: "production has hello" does not hold for a cluster with label env=prod",
      ]
    `);
  });

  test('names an invariant that the change makes true', async () => {
    expect(await findingsOf(onlyStage, everywhere)).toMatchInlineSnapshot(`
      [
        "info FW8204: "production has hello" holds after the change, and did not hold before",
      ]
    `);
  });

  test('warns of an invariant that was wrong before', async () => {
    expect(await findingsOf(onlyStage, onlyStage)).toMatchInlineSnapshot(`
      [
        "warning FW8205: "production has hello" does not hold for a cluster with label env=prod; the change did not break it",
      ]
    `);
  });

  test('says nothing of an invariant that holds before and after', async () => {
    expect(await findingsOf(everywhere, everywhere)).toEqual([]);
  });
});
