import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

/** A placement that no add-on uses, with a predicate that selects no cluster. */
const idle = `
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: idle, namespace: default }
spec: { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prdo } } } }] }
`;

/** A template that nothing uses. */
const unused = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnTemplate
metadata: { name: unused }
spec: { addonName: hello, agentSpec: { workload: { manifests: [] } } }
`;

const files = (
  settings: string,
  text = (app + idle).replace('namespace: agents', 'namespace: default'),
): Record<string, string> => ({
  'apps/hello/hub.yaml': text,
  'fleet.yaml': fleetOf(clusters),
  'fleetwright.yaml': settings,
});

const accept = (entry: string): string => `findings: { accepted: [{ code: FW7007, ${entry} }] }\n`;
const idleAccepted = accept('object: Placement default/idle, reason: prdo comes next year');
const isReported = /^warning FW7007:/m;

async function synth(settings: string, ...options: readonly string[]) {
  const cwd = await folderWith(files(settings));
  return await runIn(cwd, ['synth', ...options]);
}

describe('an accepted finding', () => {
  test('is not reported, and counted at the end', async () => {
    expect((await synth('')).err).toMatch(isReported);
    const { code, err } = await synth(idleAccepted);
    expect(code).toBe(0);
    expect(err).not.toContain('FW7007');
    expect(err).toBe('1 finding is accepted; --all lists it\n');
  });

  test('is listed by --all with its reason', async () => {
    const { err } = await synth(idleAccepted, '--all');
    expect(err.slice(err.indexOf('1 finding'))).toMatch(
      /^1 finding is accepted\n {2}FW7007 Placement default\/idle: .*\n {4}accepted: prdo comes next year\n$/,
    );
  });

  test('is left out by validate and plan too, also as JSON', async () => {
    const cwd = await folderWith({
      ...files(idleAccepted),
      ...Object.fromEntries(Object.entries(files('', app)).map(([name, text]) => [`base/${name}`, text])),
    });
    expect((await runIn(cwd, ['validate'])).err).not.toContain('FW7007');
    expect((await runIn(cwd, ['validate', '-o', 'json'])).out).not.toContain('FW7007');
    const { err, out } = await runIn(cwd, ['plan', 'base', '.', '-o', 'json']);
    expect(
      (JSON.parse(out) as { findings: { code: string }[] }).findings.map(({ code }) => code),
    ).not.toContain('FW7007');
    expect(err).toContain(
      'info FW8032: the change accepts FW7007 of Placement default/idle: prdo comes next year',
    );
    expect(err).toContain('1 finding is accepted');
  });

  test('with another object, field or file is reported, and so is the entry: FW9080', async () => {
    for (const entry of [
      'object: Placement default/other, reason: r',
      'object: Placement default/idle, field: spec.x, reason: r',
      'file: apps/hello/hub.yaml, reason: r',
    ]) {
      const { err } = await synth(accept(entry));
      expect(err).toMatch(isReported);
      expect(err).toMatch(/^warning FW9080: the accepted finding FW7007 of .* is not reported$/m);
      expect(err).toContain('--> fleetwright.yaml:1:24');
    }
  });

  test('is not missing if not all apps were read, or a rule was skipped without a fleet', async () => {
    const settings = accept('object: Placement default/other, reason: r');
    expect((await synth(settings, 'hello')).err).not.toContain('FW9080');
    const { 'fleet.yaml': _fleet, ...withoutFleet } = files(settings);
    const { err } = await runIn(await folderWith(withoutFleet), ['synth']);
    expect(err).toContain('FW9013');
    expect(err).not.toContain('FW9080');
  });

  test('is accepted up to its last day: FW9081', async () => {
    const until = (day: string): string => accept(`object: Placement default/idle, reason: r, until: ${day}`);
    expect((await synth(until('2026-06-01'))).err).not.toMatch(/FW7007:|FW9081/);
    const { err } = await synth(until('2026-05-31'));
    expect(err).toMatch(isReported);
    expect(err).toContain(
      'warning FW9081: the acceptance of FW7007 of Placement default/idle ended on 2026-05-31',
    );
    expect(err).not.toContain('FW9080');
  });
});

describe('the settings', () => {
  test.each([
    [['resolve', 'apps/hello']],
    [['rollout', 'apps/hello']],
    [['rollout', 'apps/hello', '-o', 'json']],
  ])('are those of %j too', async (command) => {
    const run = async (settings: string) => await runIn(await folderWith(files(settings)), command);
    const { out, err, code } = await run('');
    expect(code).toBe(0);
    expect(err).toMatch(isReported);
    const accepted = await run(idleAccepted);
    expect(accepted).toMatchObject({ code: 0, out });
    expect(accepted.err).not.toContain('FW7007');
    expect(accepted.err).toMatch(/^1 finding is accepted\n$/m);
    expect((await run('findings: { severity: { FW7007: off } }')).err).not.toContain('FW7007');
    const raised = await run('findings: { severity: { FW7007: error } }');
    expect(raised.code).toBe(1);
    expect(raised.err).toMatch(/^error FW7007:/m);
  });

  test.each([
    ['explain', 'c1', 'hello'],
    ['who-uses', 'default/base'],
    ['render', 'c1', 'hello'],
  ])('are those of commands that print only a missing fleet: %s', async (...command) => {
    const { 'fleet.yaml': _, ...withoutFleet } = files('findings: { severity: { FW9013: error } }');
    const { err } = await runIn(await folderWith(withoutFleet), command);
    expect(err).toMatch(/^error FW9013:/m);
  });

  test('are those of doctor, whose exit code they decide', async () => {
    const gitops = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: hello, namespace: argocd }
spec:
  project: default
  source: { repoURL: 'https://example.com/x.git', targetRevision: main, path: dist/hello }
  destination: { server: 'https://kubernetes.default.svc' }
`;
    const doctor = async (settings: string) =>
      await runIn(await folderWith({ ...files(settings), 'gitops/hello.yaml': gitops }), ['doctor']);
    const codesIn = (err: string): string[] =>
      [...err.matchAll(/^\w+ (FW\d+):/gm)].map(([, code = '']) => code);
    const { code, err } = await doctor('');
    expect(code).toBe(1);
    const codes = codesIn(err);
    expect(codes).not.toEqual([]);
    const off = codes.map((each) => `${each}: off`).join(', ');
    expect(await doctor(`findings: { severity: { ${off} } }`)).toMatchObject({ code: 0 });
  });
});

describe('a code', () => {
  test('can be turned off, or raised', async () => {
    expect((await synth('findings: { severity: { FW7007: off } }')).err).not.toContain('FW7007');
    const { code, out, err } = await synth('findings: { severity: { FW7007: error } }');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^error FW7007:/m);
    const cwd = await folderWith(files('findings: { severity: { FW7007: error } }'));
    expect((await runIn(cwd, ['validate'])).code).toBe(1);
    expect((await runIn(cwd, ['machine', 'generate', 'apps/hello'])).out).toBe('');
  });

  test.each([
    ['severity: { FW2005: off }', '1: findings.severity.FW2005 cannot be off: FW2005 is an error\n'],
    [
      'severity: { FW9013: off }',
      'cannot be off: FW9013 reports what a run left out or which limits changed\n',
    ],
    ['severity: { FW7301: off }', 'FW7301 is an error\n  accept single findings with findings.accepted\n'],
    ['severity: { FW72066: off }', 'has an unknown code FW72066\n  did you mean "FW7206"?\n'],
    ['severity: { FW7206: info }', 'findings.severity.FW7206 must be one of off, warning, error\n'],
    ['accepted: [{ code: FW2005, object: A b, reason: r }]', 'cannot be accepted: FW2005 is an error\n'],
    ['accepted: [{ code: FW7206, reason: r }]', 'findings.accepted[0] needs either object or file\n'],
    ['accepted: [{ code: FW7206, object: A b }]', 'has no reason\n  say why the finding is accepted\n'],
    ['accepted: [{ code: FW7206, object: A b, reason: r, until: soon }]', 'until is not a date\n'],
  ])('has invalid settings: %s', async (written, message) => {
    const { code, err } = await synth(`findings: { ${written} }`);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('an accepted violation of a policy', () => {
  const policy = `policies:
  regions: { message: only the EU, expression: "cluster.labels.region == 'eu'" }
  names: { message: short names, expression: size(cluster.name) < 2 }
`;
  const accepted = `${policy}findings:
  accepted:
  - { code: FW7301, policy: regions, object: ClusterManagementAddOn hello, reason: until the move }
  - { code: FW7301, policy: names, object: ClusterManagementAddOn hello, reason: customers chose them }
`;

  test('does not stop synth, for this policy only', async () => {
    expect((await synth(policy)).code).toBe(1);
    const one = await synth(accepted.replace(/\n.*policy: names.*/, ''));
    expect(one.code).toBe(1);
    expect(one.err).not.toContain('only the EU');
    expect(await synth(accepted)).toMatchObject({ code: 0 });
  });

  test('stops a change that accepts it itself', async () => {
    const states = (old: string, next: string) =>
      Object.fromEntries(
        [
          ['old', old],
          ['new', next],
        ].flatMap(([folder = '', settings = '']) =>
          Object.entries(files(settings)).map(([name, text]) => [`${folder}/${name}`, text]),
        ),
      );
    const added = await runIn(await folderWith(states(policy, accepted)), ['plan', 'old', 'new']);
    expect(added.code).toBe(1);
    expect(added.err).toContain('error FW7301');
    const merged = await runIn(await folderWith(states(accepted, accepted)), ['plan', 'old', 'new']);
    expect(merged.code).toBe(0);
  });
});

describe('a plan', () => {
  const plan = async (old: string, next: string, ...options: readonly string[]) => {
    const states = { 'old/fleetwright.yaml': old, 'new/fleetwright.yaml': next };
    const common = Object.entries(files('')).flatMap(([name, text]) => [
      [`old/${name}`, text],
      [`new/${name}`, text],
    ]);
    const cwd = await folderWith({ ...Object.fromEntries(common), ...states });
    return await runIn(cwd, ['plan', 'old', 'new', ...options]);
  };

  test('takes severities from the base, and reports that the change edits them', async () => {
    const { code, err } = await plan('findings: { severity: { FW7007: error } }', '');
    expect(code).toBe(1);
    expect(err).toContain(
      'the change edits findings.severity in fleetwright.yaml; this plan uses those of old',
    );
  });

  test('reports a finding whose acceptance the change removes', async () => {
    expect((await plan('', '')).err).not.toContain('FW7007');
    expect((await plan(idleAccepted, '')).err).toMatch(isReported);
  });
});

describe('--strict', () => {
  test('fails on warnings, and nothing is written', async () => {
    expect(await synth('', '--strict')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/\nwarnings fail with --strict\n$/) as string,
    });
    const cwd = await folderWith(files(''));
    expect((await runIn(cwd, ['validate', '--strict'])).code).toBe(1);
    expect((await runIn(cwd, ['validate', '--strict', '-o', 'json'])).code).toBe(1);
  });
});

test('--quiet hides infos, but not those about limits', async () => {
  const info = app.replace('addonName: hello', 'addonName: other');
  const cwd = await folderWith(files('', info));
  expect((await runIn(cwd, ['synth'])).err).toContain('info FW7114');
  expect((await runIn(cwd, ['synth', '--quiet'])).err).not.toContain('FW7114');
  const states = await folderWith({
    ...Object.fromEntries(Object.entries(files('')).map(([name, text]) => [`old/${name}`, text])),
    ...Object.fromEntries(Object.entries(files(idleAccepted)).map(([name, text]) => [`new/${name}`, text])),
  });
  expect((await runIn(states, ['plan', 'old', 'new', '--quiet'])).err).toContain('FW8032');
});

test.each([['resolve'], ['rollout'], ['validate'], ['plan', 'HEAD'], ['who-uses', 'default/base']])(
  '--quiet is an option of %s',
  async (...command) => {
    const info = app.replace('addonName: hello', 'addonName: other');
    const cwd = await folderWith(files('', info));
    const { err } = await runIn(cwd, [...command, '--quiet']);
    expect(err).not.toMatch(/^info /m);
    expect(err).not.toContain('unknown option');
  },
);

test('resolve and rollout report infos without --quiet, for all apps', async () => {
  const cwd = await folderWith(files('', app.replace('addonName: hello', 'addonName: other')));
  for (const command of ['resolve', 'rollout']) {
    const { out, err } = await runIn(cwd, [command]);
    expect(err).toMatch(/^info FW7114/m);
    expect(out).toContain('hello');
  }
});

test('several apps end with one summary', async () => {
  const cwd = await folderWith({
    ...files('', app),
    'apps/one/hub.yaml': idle,
    'apps/two/hub.yaml': unused,
  });
  const { err } = await runIn(cwd, ['synth']);
  expect(err.match(/^\d+ (?:error|warning|info).*$/gm)).toEqual([
    expect.stringMatching(/^\d+ warnings.* in 3 apps$/),
  ]);
});

describe('consequences of one cause', () => {
  /** The scaffold in a workspace whose clusters have lost the label of its groups. */
  const scaffold = async (): Promise<string> => {
    const cwd = await folderWith({
      'fleetwright.yaml': '',
      'fleet.yaml': fleetOf({ c1: { env: 'dev' }, c2: { env: 'prod' } }),
    });
    expect((await runIn(cwd, ['new', 'logging', '--yaml'])).code).toBe(0);
    writeFileSync(path.join(cwd, 'fleet.yaml'), fleetOf({ c1: { tier: 'dev' }, c2: { tier: 'prod' } }));
    return cwd;
  };

  test('are counted below it, and printed with --all', async () => {
    const cwd = await scaffold();
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(err.match(/^warning FW\d+/gm)).toEqual(['warning FW7007']);
    expect(err).toContain('consequences: 2 more findings: FW7020, FW7204; --all prints them\n');
    expect(err).toMatch(/\n3 warnings\n$/);
    const all = await runIn(cwd, ['synth', '--all']);
    expect(all.err.match(/^warning FW\d+/gm)).toEqual(['warning FW7007', 'warning FW7020', 'warning FW7204']);
    expect(all.err).not.toContain('consequences');
  });

  test('are all in JSON', async () => {
    const { out } = await runIn(await scaffold(), ['validate', '-o', 'json']);
    expect(out.match(/"code": "FW7\d+"/g)).toEqual([
      '"code": "FW7007"',
      '"code": "FW7020"',
      '"code": "FW7204"',
    ]);
  });

  test('are printed if the cause is accepted', async () => {
    const cwd = await scaffold();
    writeFileSync(
      path.join(cwd, 'fleetwright.yaml'),
      accept('object: Placement logging/everywhere, reason: the cluster comes next year'),
    );
    const { err } = await runIn(cwd, ['synth']);
    expect(err.match(/^warning FW\d+/gm)).toEqual(['warning FW7020']);
  });

  test('of a placement that selects nothing include the empty decision', async () => {
    const cwd = await scaffold();
    const app = path.join(cwd, 'apps/logging/app.yaml');
    const predicate =
      'spec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prdo } } } }]\n';
    writeFileSync(
      app,
      readFileSync(app, 'utf8').replace('spec:\n  # A cluster that is', `${predicate}  # A cluster that is`),
    );
    const { err } = await runIn(cwd, ['synth']);
    expect(err.match(/^warning FW\d+/gm)).toEqual(['warning FW7007']);
    expect(err).toContain('consequences: 2 more findings: FW7007, FW7010; --all prints them\n');
  });
});
