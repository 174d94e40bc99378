import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const files = (
  policies: string,
  text = app.replace('namespace: agents', 'namespace: default'),
): Record<string, string> => ({
  'apps/hello/hub.yaml': text,
  'apps/hello/fleet.yaml': fleetOf(clusters),
  'fleetwright.yaml': policies,
});

const mirror = `policies:
  prod-mirror:
    message: production pulls from a mirror
    expression: cluster.labels.env != 'prod' || addOn.config.registries.size() > 0
`;

/** Two folders, old and new, each with its policies. */
function states(old: string, next: string): Record<string, string> {
  const below = (folder: string, policies: string): [string, string][] =>
    Object.entries(files(policies)).map(([name, text]) => [`${folder}/${name}`, text]);
  return Object.fromEntries([...below('old', old), ...below('new', next)]);
}

describe('policies in fleetwright.yaml', () => {
  test('stop synth if a cluster breaks them, at their location', async () => {
    const cwd = await folderWith(files(mirror));
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.slice(err.indexOf('error'))).toMatchInlineSnapshot(`
      "error FW7301: production pulls from a mirror: the policy "prod-mirror" is violated for "hello" on 3 of 5 clusters: c1, c2, c3
       --> fleetwright.yaml:4:17
        |
      4 |     expression: cluster.labels.env != 'prod' || addOn.config.registries.size() …
        |                 ^
        = object: ClusterManagementAddOn hello
        = hint: \`fleetwright explain c1 hello\` explains where the settings of the add-on come from
        = see: the first of them, apps/hello/fleet.yaml:13:13

      1 error
      "
    `);
  });

  test.each([600, 20_000])('are not read if they are nested %i levels deep', async (depth) => {
    const cwd = await folderWith(
      files(`policies: {}\nguardrails:\n  protect: ${'['.repeat(depth)}${']'.repeat(depth)}\n`),
    );
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.replace(/\[+/, '[')).toMatchInlineSnapshot(`
      "error FW1001: this is nested more than 500 levels deep
       --> fleetwright.yaml:3:510
        |
      3 | …[…
        |                                         ^
        = hint: Kubernetes objects are never nested so deeply: look for unclosed brackets, and for values that contain themselves

      1 error
      "
    `);
    for (const command of [
      ['validate', 'apps/hello'],
      ['plan', '.', '.'],
    ])
      expect(await runIn(cwd, command)).toMatchObject({ code: 2, err });
  });

  test('in a file whose aliases multiply are not read: FW1006', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const of = level === 0 ? '"x"' : `*a${level - 1}`;
      return `  a${level}: &a${level} [${Array.from({ length: 10 }, () => of).join(', ')}]`;
    });
    const cwd = await folderWith(files(`policies:\n${levels.join('\n')}\n`));
    for (const command of [['synth'], ['plan', '.', '.'], ['synth', '--policy', 'fleetwright.yaml']]) {
      expect(await runIn(cwd, command)).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /^error FW1006: the aliases of this document expand to too many values\n/,
        ) as string,
      });
    }
  });

  test('in a file with an alias without an anchor are not read: FW1005', async () => {
    const cwd = await folderWith(
      files('policies:\n  mirror:\n    severity: *loud\n    message: &loud warning\n'),
    );
    for (const command of [['synth'], ['resolve', 'apps/hello'], ['plan', '.', '.']]) {
      expect(await runIn(cwd, command)).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /^error FW1005: there is no anchor &loud before this alias\n --> fleetwright\.yaml:3:15\n/,
        ) as string,
      });
    }
  });

  test('are not evaluated on kinds that they do not cover', async () => {
    const cwd = await folderWith(files(mirror.replace("'prod'", "'none'")));
    expect((await runIn(cwd, ['synth'])).code).toBe(0);
  });

  test('are errors of validate if there is a fleet', async () => {
    const cwd = await folderWith(files(mirror));
    const { code, err } = await runIn(cwd, ['validate', 'apps/hello']);
    expect(code).toBe(1);
    expect(err).toContain('error FW7301: production pulls from a mirror');
    expect((await runIn(cwd, ['validate', 'apps/hello/hub.yaml'])).err).not.toContain('FW7301');
  });

  test('fail a plan if they are errors, and are reported as warnings only if the change breaks them', async () => {
    const loud = mirror.replace('message:', 'severity: warning\n    message:');
    const cwd = await folderWith(states(mirror, mirror));
    expect(await runIn(cwd, ['plan', 'old', 'new'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('FW7301') as string,
    });
    const quiet = await folderWith(states(loud, loud));
    expect(await runIn(quiet, ['plan', 'old', 'new'])).toMatchObject({ code: 0, err: '' });
  });

  test('of a change apply from the next change on, as the plan reports: FW8030', async () => {
    const weakened = await folderWith(states(mirror, mirror.replace("!= 'prod'", "!= 'nothing'")));
    const { code, err } = await runIn(weakened, ['plan', 'old', 'new']);
    expect(code).toBe(1);
    expect(err).toContain('error FW7301');
    expect(err).toContain(
      'warning FW8030: the change edits policies in fleetwright.yaml; this plan uses those of old',
    );
    const added = await folderWith(states('', mirror));
    expect(await runIn(added, ['plan', 'old', 'new'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('FW8030') as string,
    });
    expect(await runIn(added, ['plan', 'old', 'new', '--policy-from', 'head'])).toMatchObject({
      code: 1,
      err: expect.not.stringContaining('FW8030') as string,
    });
    expect(await runIn(added, ['plan', 'old', 'new', '--policy', 'old/fleetwright.yaml'])).toMatchObject({
      code: 0,
    });
    const unreadable = await folderWith(states('policies: []', mirror));
    expect(await runIn(unreadable, ['plan', 'old', 'new'])).toMatchObject({
      code: 2,
      err: `fleetwright: the policies of old cannot be read: fleetwright.yaml:1: policies is not a mapping
  correct the file there, or run plan with --policy-from head
`,
    });
  });

  test('that do not compile are errors at the character that is wrong: FW9009', async () => {
    const cwd = await folderWith(files(mirror.replace('addOn.config', 'addOn.conf')));
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(1);
    expect(err.slice(0, err.indexOf('= hint'))).toMatchInlineSnapshot(`
      "error FW9009: the policy "prod-mirror" does not compile: undeclared reference to 'addOn'
       --> fleetwright.yaml:4:49
        |
      4 |     expression: cluster.labels.env != 'prod' || addOn.conf.registries.size() > 0
        |                                                 ^
        "
    `);
  });

  test.each([
    ['policies: []', 'fleetwright.yaml:1: policies is not a mapping'],
    ['policies:\n  a: {message: b}', 'fleetwright.yaml:2: policies.a has no expression'],
    ['policies:\n  a: {expression: "true"}', 'fleetwright.yaml:2: policies.a has no message'],
    [
      'policies:\n  a: {expression: "true", message: b, severity: info}',
      'fleetwright.yaml:2: policies.a.severity must be one of error, warning',
    ],
    [
      'policies:\n  a: {expression: true, message: b}',
      'fleetwright.yaml:2: policies.a.expression is not a string',
    ],
    [
      'policies:\n  a: {expr: b}',
      'fleetwright.yaml:2: policies.a.expr is unknown: use one of expression, message, severity',
    ],
    ['fleet: {maxAge: old}', 'fleetwright.yaml:1: fleet.maxAge is not an age such as 7d or 12h'],
  ])('%s is wrong use', async (text, message) => {
    const cwd = await folderWith(files(text));
    expect(await runIn(cwd, ['synth'])).toEqual({ code: 2, out: '', err: `fleetwright: ${message}\n` });
  });
});
