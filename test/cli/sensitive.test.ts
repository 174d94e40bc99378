import { describe, expect, test } from 'vitest';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const manifests = `manifests:
      - apiVersion: v1
        kind: Secret
        metadata: { name: creds, namespace: agents }
        stringData: { password: "{{SECRET_ONE}}" }
      - apiVersion: apps/v1
        kind: Deployment
        metadata: { name: agent, namespace: agents }
        spec:
          selector: { matchLabels: { app: agent } }
          template:
            metadata: { labels: { app: agent } }
            spec:
              containers:
              - name: agent
                image: example.com/agent:1
                args: ["--token={{API_TOKEN}}"]
                env: [{ name: COPY, value: "{{SECRET_ONE}}" }]
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: agent-config, namespace: agents }
        data: { config.yaml: "key: PLAIN1", other: visible-PLAIN }`;

/** The add-on with four sensitive values, each of which contains a word that must not appear. */
const text = (variant: string): string =>
  app
    .replace('manifests:', manifests)
    .replace('PLAIN1', `hunter-field-${variant}`)
    .replace('visible-PLAIN', `visible-${variant}`)
    .replace(
      'value: "warn"',
      `value: "warn"\n  - { name: API_TOKEN, value: hunter-token-${variant} }\n  - { name: SECRET_ONE, value: hunter-secret-${variant} }`,
    );

const settings = `sensitive:
  variables: ['*_TOKEN']
  fields:
  - { kind: ConfigMap, path: 'data[config.yaml]' }
`;

const state = (folder: string, variant: string): Record<string, string> => ({
  [`${folder}apps/hello/hub.yaml`]: text(variant),
  [`${folder}fleet.yaml`]: fleetOf(clusters),
  [`${folder}fleetwright.yaml`]: settings,
});
const compared = async (): Promise<string> =>
  await folderWith({ ...state('', 'new'), ...state('base/', 'old') });

describe('sensitive values', () => {
  test.each(['text', 'json', 'markdown', 'html', 'github', 'sarif', 'junit'])(
    'are masked in a plan as %s, which shows that they change',
    async (format) => {
      const { out, err } = await runIn(await compared(), ['plan', 'base', '.', '-o', format]);
      expect(out + err).not.toContain('hunter');
      expect(out).toContain('(secret, changed)');
      expect(out).toContain('visible-new');
    },
  );

  test('are masked in an added object', async () => {
    const files = {
      ...state('', 'new'),
      'base/fleetwright.yaml': settings,
      'base/fleet.yaml': fleetOf(clusters),
    };
    const cwd = await folderWith({
      ...files,
      'base/apps/hello/other.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x, namespace: y }\n',
    });
    const { out } = await runIn(cwd, ['plan', 'base', '.', '-o', 'json']);
    expect(out).not.toContain('hunter');
    expect(out).toContain('(secret)');
  });

  test.each([
    [['explain', 'c1', 'hello'], '(secret)'],
    [['explain', 'c1', 'hello', '-o', 'json'], '(secret)'],
    [['explain', 'c1', 'hello', 'Deployment/agent .spec.template.spec.containers[0].args'], '(secret)'],
    [['explain', 'c1', 'hello', 'ConfigMap/agent-config .data'], '(secret)'],
    [['explain', 'c1', 'hello', 'API_TOKEN'], '(secret)'],
    [['render', 'c1', 'hello'], '(secret)'],
    [['render', 'c1', 'hello', '-o', 'json'], '(secret)'],
    [['render', 'c1', 'hello', '--diff', 'base'], '(secret, changed)'],
    [['rollout', 'apps/hello'], ''],
    [['who-uses', 'default/base'], ''],
    [['who-uses', 'apps/hello/hub.yaml'], ''],
    [['validate'], ''],
  ])('are masked by %j', async (commandLine, mask) => {
    const { out, err } = await runIn(await compared(), commandLine);
    expect(out + err).not.toContain('hunter');
    expect(out).toContain(mask);
  });

  test('are printed by render if the user asks for them, also into a pipe', async () => {
    const cwd = await folderWith(state('', 'new'));
    expect((await runIn(cwd, ['render', 'c1', 'hello'])).err).toBe(
      'values of Secrets and other sensitive values are masked; --show-secrets prints them\n',
    );
    expect((await runIn(cwd, ['render', 'c1', 'hello'])).out).toMatch(/name: CLUSTER_NAME\n +value: c1\n/);
    const { out, err } = await runIn(cwd, ['render', 'c1', 'hello', '--show-secrets']);
    expect(err).toBe('');
    for (const word of ['field', 'token', 'secret']) expect(out).toContain(`hunter-${word}-new`);
  });

  test('stay masked where the change removes them from the settings', async () => {
    const cwd = await folderWith({ ...state('', 'new'), ...state('base/', 'old'), 'fleetwright.yaml': '{}' });
    expect((await runIn(cwd, ['plan', 'base', '.'])).out).not.toContain('hunter');
  });

  test('change the hash of the plan', async () => {
    const hash = async (variant: string): Promise<string | undefined> => {
      const cwd = await folderWith({ ...state('', variant), ...state('base/', 'old') });
      return /hash: (\w+)/.exec((await runIn(cwd, ['plan', 'base', '.'])).out)?.[1];
    };
    expect(await hash('new')).not.toBe(await hash('newer'));
  });
});

describe('no sensitive value is in the output of a command that reports', () => {
  // Each mistake makes a finding whose message or source line has a sensitive value.
  const mistakes: Readonly<Record<string, (text: string) => string>> = {
    'a number as the value of a variable': (text) =>
      text.replace('value: hunter-token-new', 'value: 1237654321'),
    'a variable in a variable': (text) =>
      text.replace('value: hunter-token-new', "value: 'hunter-{{SECRET_ONE}}'"),
    'a value that JSON reads differently': (text) =>
      text.replace('value: hunter-token-new', `value: 'hunter-"1237654321'`),
    'a variable twice': (text) =>
      text.replace(
        '  - { name: SECRET_ONE',
        '  - { name: API_TOKEN, value: hunter-1237654321 }\n  - { name: SECRET_ONE',
      ),
    'a list as a value of a Secret': (text) =>
      text.replace('{ password: "{{SECRET_ONE}}" }', '{ password: ["{{SECRET_ONE}}", hunter-1237654321] }'),
    'an unknown field beside a value': (text) =>
      text.replace('value: hunter-token-new }', 'value: hunter-token-new, valeu: 1 }'),
    'an unknown field beside a sensitive field': (text) =>
      text.replace('other: visible-new }', 'other: visible-new, more: 1 }'),
  };
  const formats = ['text', 'json', 'markdown', 'html', 'github', 'sarif', 'junit'];
  const commands = [
    ['synth'],
    ['rollout', 'apps/hello'],
    ['explain', 'c1', 'hello'],
    ['who-uses', 'default/base'],
    ['who-uses', 'apps/hello/hub.yaml'],
    ['render', 'c1', 'hello'],
    ['doctor'],
    ['import', 'apps/hello', '--out', 'imported'],
    ['import', 'apps/hello', '--out', 'imported', '--as-template', 'x'],
    ...['text', 'json', 'github', 'sarif'].map((format) => ['validate', '-o', format]),
    ...formats.map((format) => ['plan', 'base', '.', '-o', format]),
  ];

  test.each(Object.entries(mistakes))('%s', async (_, mistake) => {
    const hub = mistake(text('new'));
    expect(hub).not.toBe(text('new'));
    const files = { ...state('', 'new'), ...state('base/', 'old'), 'apps/hello/hub.yaml': hub };
    for (const command of commands) {
      const { out, err } = await runIn(await folderWith(files), command);
      const output = [...command, out, err];
      expect(out + err).not.toBe('');
      expect(output.filter((part) => /hunter|1237654321/.test(part))).toEqual([]);
    }
    // The findings of resolve, which prints the real objects.
    expect((await runIn(await folderWith(files), ['resolve', 'apps/hello'])).err).not.toMatch(
      /hunter|1237654321/,
    );
  });
});
