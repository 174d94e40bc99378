import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { runProgram, root } from '../linked-repository.ts';

/** What `packaging/gitops/argocd-plugin/plugin.yaml` says, as far as the plugin server reads it. */
interface Plugin {
  readonly spec: {
    readonly discover: { readonly fileName: string };
    readonly generate: { readonly command: readonly string[] };
    readonly parameters: { readonly static: readonly { readonly name: string; readonly string?: string }[] };
  };
}
const { spec } = parse(
  readFileSync(path.join(root, 'packaging/gitops/argocd-plugin/plugin.yaml'), 'utf8'),
) as Plugin;

let folder: string;
/** The repository as the plugin server has received it. */
let repository: string;
const app = (): string => path.join(repository, 'apps/helloworld');

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-plugin-')));
  cpSync(path.join(root, 'build/fleetwright.mjs'), path.join(folder, 'fleetwright.mjs'));
  repository = path.join(folder, '_cmp_server');
  // An app of plain YAML: this Node may be one that runs no TypeScript.
  cpSync(path.join(root, 'dist/helloworld'), app(), { recursive: true });
  cpSync(path.join(root, 'fleet.yaml'), path.join(app(), 'fleet.yaml'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** As argocd-cmp-server runs a command: in the Application's folder, with the environment of the sidecar and of the Application. */
function generated(
  env: Readonly<Record<string, string>> = {},
  cwd = app(),
): ReturnType<typeof runProgram> & { readonly seconds: number } {
  const [program = '', , ...parameters] = spec.generate.command;
  expect(program).toBe('node');
  const started = performance.now();
  const script = [
    'cd "$1" || exit 9',
    'shift',
    // no HOME, and nowhere to write
    'exec env -i PATH="$PATH" TMPDIR=/nowhere ARGOCD_APP_NAME=hello KUBE_VERSION=1.35 "$@"',
  ].join('\n');
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const ran = runProgram(folder, '/bin/sh', [
    '-c',
    script,
    'sh',
    cwd,
    ...variables,
    process.execPath,
    path.join(folder, 'fleetwright.mjs'),
    ...parameters,
  ]);
  return { ...ran, seconds: (performance.now() - started) / 1000 };
}

/** Names and contents of all files. */
function snapshot(): readonly (readonly [string, string])[] {
  return readdirSync(repository, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, 'utf8')]);
}

describe('the plugin of Argo CD', () => {
  test('prints the manifests of synth and nothing else, and writes nothing', () => {
    const before = snapshot();
    const { code, out, seconds } = generated();
    expect(code).toBe(0);
    const documents = parseAllDocuments(out).map((document) => document.toJS() as unknown);
    const files = readdirSync(path.join(root, 'dist/helloworld')).filter((name) => name.includes('_'));
    expect(documents.map((document) => JSON.stringify(document)).sort()).toEqual(
      files
        .map((name) => JSON.stringify(parse(readFileSync(path.join(root, 'dist/helloworld', name), 'utf8'))))
        .sort(),
    );
    expect(snapshot()).toEqual(before);
    // Then the server gives up.
    expect(seconds).toBeLessThan(60);
  });

  test('takes the parameters of the Application, and those of its environment', () => {
    const parameters = JSON.stringify([
      { name: 'api-version', string: 'v1beta1' },
      { name: 'fleet', array: ['fleet.yaml'] },
    ]);
    expect(generated({ ARGOCD_APP_PARAMETERS: parameters }).out).toContain(
      '/v1beta1\nkind: ClusterManagementAddOn',
    );
    const env = { ARGOCD_ENV_API_VERSION: 'v1beta1' };
    expect(generated(env).out).toBe(generated({ ARGOCD_APP_PARAMETERS: parameters }).out);
    const other = JSON.stringify([{ name: 'api-version', string: 'v1alpha1' }]);
    expect(generated({ ...env, ARGOCD_APP_PARAMETERS: other }).out).toBe(generated().out);
  });

  test('accepts exactly the parameters that it announces, with the defaults that it describes', () => {
    const { static: announced } = spec.parameters;
    const defaults = announced.flatMap(({ name, string }) =>
      string === undefined ? [] : [{ name, string }],
    );
    expect(generated({ ARGOCD_APP_PARAMETERS: JSON.stringify(defaults) }).out).toBe(generated().out);
    const names = announced.map(({ name }) => name).sort();
    expect(generated({ ARGOCD_APP_PARAMETERS: '[{"name":"policy","string":"/etc/passwd"}]' })).toMatchObject({
      code: 2,
      out: '',
      err: `fleetwright: parameter "policy" is unknown\n  the parameters are ${names.join(', ')}\n`,
    });
    expect(generated({ ARGOCD_APP_PARAMETERS: '[{"name":"now","string":""}]' })).toMatchObject({ code: 0 });
    expect(generated({ ARGOCD_APP_PARAMETERS: '[{"name":"now","map":{"a":"b"}}]' })).toMatchObject({
      code: 2,
      err: 'fleetwright: parameter "now" is neither a string nor a list of strings\n',
    });
    expect(generated({ ARGOCD_APP_PARAMETERS: '{' })).toMatchObject({
      code: 2,
      err: 'fleetwright: ARGOCD_APP_PARAMETERS is not valid JSON\n',
    });
  });

  test('fails without a manifest if there is an error', () => {
    const file = path.join(app(), 'placement_default_placement-aws.yaml');
    const placement = readFileSync(file, 'utf8');
    writeFileSync(file, `${placement.trimEnd()}\n  numberOfClusters: many\n`);
    const { code, out, err } = generated();
    writeFileSync(file, placement);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/ --> placement_default_placement-aws\.yaml:\d+:3\n/);
  });

  test('prints all apps of a repository, or those that are named', () => {
    cpSync(app(), path.join(repository, 'apps/other'), { recursive: true });
    const { code, err } = generated({}, repository);
    expect(code).toBe(1);
    expect(err).toContain('error FW8008: app helloworld has this object, too');
    const one = generated({ ARGOCD_APP_PARAMETERS: '[{"name":"app","array":["helloworld"]}]' }, repository);
    expect(one).toMatchObject({ code: 0, out: generated().out });
    rmSync(path.join(repository, 'apps/other'), { recursive: true });
  });

  test('checks apps against the policies beside apps/', () => {
    const file = path.join(repository, 'fleetwright.yaml');
    writeFileSync(file, 'policies:\n  never: { message: never, expression: "false" }\n');
    const { code, out } = generated();
    rmSync(file);
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  test('is found by the name of a file of the Application', () => {
    expect(spec.discover.fileName).toBe('./app.[jt]s');
  });
});
