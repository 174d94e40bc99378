import { describe, expect, test } from 'vitest';
import { app, clusters } from '../plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const files = (policies: string, text = app): Record<string, string> => ({
  'apps/hello/hub.yaml': text,
  'apps/hello/fleet.yaml': fleetOf(clusters),
  'fleetwright.yaml': policies,
});

const mirror = `policies:
  prod-mirror:
    message: production pulls from a mirror
    expression: cluster.labels.env != 'prod' || addOn.config.registries.size() > 0
`;

describe('policies in fleetwright.yaml', () => {
  test('stop synth where a cluster breaks them, at their place', async () => {
    const cwd = await folderWith(files(mirror));
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.slice(err.indexOf('error'))).toMatchInlineSnapshot(`
      "error FW7301: production pulls from a mirror: the policy "prod-mirror" does not hold for "hello" on 3 of 5 clusters: c1, c2, c3
       --> fleetwright.yaml:4:17
        |
      4 |     expression: cluster.labels.env != 'prod' || addOn.config.registries.size() …
        |                 ^
        = hint: fleetwright explain c1 hello says who decided what the add-on uses there
        = see: the first of them, apps/hello/fleet.yaml:13:13

      1 error
      "
    `);
  });

  test.each([600, 20_000])('are not read where they are nested %i levels deep', async (depth) => {
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
        = hint: nothing of Kubernetes is nested so deeply: look for brackets that are not closed, and for what holds itself

      1 error
      "
    `);
    for (const command of [
      ['validate', 'apps/hello'],
      ['plan', '.', '.'],
    ])
      expect(await runIn(cwd, command)).toMatchObject({ code: 2, err });
  });

  test('are not asked of what they do not cover', async () => {
    const cwd = await folderWith(files(mirror.replace("'prod'", "'none'")));
    expect((await runIn(cwd, ['synth'])).code).toBe(0);
  });

  test('are errors of validate, given a fleet', async () => {
    const cwd = await folderWith(files(mirror));
    const { code, err } = await runIn(cwd, ['validate', 'apps/hello']);
    expect(code).toBe(1);
    expect(err).toContain('error FW7301: production pulls from a mirror');
    expect((await runIn(cwd, ['validate', 'apps/hello/hub.yaml'])).err).not.toContain('FW7301');
  });

  test('fail a plan where they are errors, and are told as warnings only where the change breaks them', async () => {
    const loud = mirror.replace('message:', 'severity: warning\n    message:');
    const cwd = await folderWith({
      ...Object.fromEntries(Object.entries(files('')).map(([name, text]) => [`old/${name}`, text])),
      ...Object.fromEntries(Object.entries(files(mirror)).map(([name, text]) => [`new/${name}`, text])),
    });
    expect(await runIn(cwd, ['plan', 'old', 'new'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('FW7301') as string,
    });
    const quiet = await folderWith({
      ...Object.fromEntries(Object.entries(files('')).map(([name, text]) => [`old/${name}`, text])),
      ...Object.fromEntries(Object.entries(files(loud)).map(([name, text]) => [`new/${name}`, text])),
    });
    expect(await runIn(quiet, ['plan', 'old', 'new'])).toMatchObject({ code: 0, err: '' });
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
    ['policies: []', 'fleetwright.yaml:1: policies is no mapping'],
    ['policies:\n  a: {message: b}', 'fleetwright.yaml:2: policies.a has no expression'],
    ['policies:\n  a: {expression: "true"}', 'fleetwright.yaml:2: policies.a has no message'],
    [
      'policies:\n  a: {expression: "true", message: b, severity: info}',
      'fleetwright.yaml:2: policies.a.severity is none of error, warning',
    ],
    [
      'policies:\n  a: {expression: true, message: b}',
      'fleetwright.yaml:2: policies.a.expression is no text',
    ],
    [
      'policies:\n  a: {expr: b}',
      'fleetwright.yaml:2: policies.a.expr is unknown: there are expression, message, severity',
    ],
    ['fleet: {maxAge: old}', 'fleetwright.yaml:1: fleet.maxAge is no age such as 7d or 12h'],
  ])('%s is wrong use', async (text, message) => {
    const cwd = await folderWith(files(text));
    expect(await runIn(cwd, ['synth'])).toEqual({ code: 2, out: '', err: `fleetwright: ${message}\n` });
  });
});
