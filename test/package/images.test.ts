import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { AddOnAgent, CompanionController } from '../../constructs/index.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { describeImage, type ImageDescription } from './dockerfile.ts';
import { releases } from './releases.ts';

// What no engine is needed for to know of the images: that their files are in the package, fit together, and run as the
// manifests let them.
const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as { readonly version: string; readonly license: string };
const companion = describeImage(read('packaging/Dockerfile'));
const plugin = describeImage(read('packaging/gitops/argocd-plugin/Dockerfile'));
const images = [
  { name: 'the companion', image: companion },
  { name: 'the plugin of Argo CD', image: plugin },
];

const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' }),
) as readonly { readonly files: readonly { readonly path: string }[] }[];
const packedFiles = packed?.files.map((file) => file.path) ?? [];

interface Pod {
  readonly securityContext?: object;
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly args?: readonly string[];
    readonly command?: readonly string[];
    readonly securityContext: object;
  }[];
}
const podsOf = (build: Parameters<typeof objectsOf>[0]): readonly Pod[] =>
  objectsOf(build)
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => (spec as { readonly template: { readonly spec: Pod } }).template.spec);

describe.each(images)('the image of $name', ({ image }) => {
  test('is built from files that the package has, and the build passes', () => {
    expect(packedFiles).toEqual(
      expect.arrayContaining([
        'packaging/Dockerfile',
        '.dockerignore',
        'packaging/gitops/argocd-plugin/Dockerfile',
      ]),
    );
    const sources = image.files.map(({ source }) => source);
    expect(packedFiles).toEqual(expect.arrayContaining(sources));
    const ignored = read('.dockerignore').split('\n');
    expect(ignored).toContain('*');
    expect(ignored).toEqual(expect.arrayContaining(sources.map((source) => `!${source}`)));
    expect(sources).toEqual(
      expect.arrayContaining(['LICENSE', 'NOTICE', 'build/LICENSES.txt', 'build/sbom.cdx.json']),
    );
  });

  test('can be read by every user, and written by none', () => {
    expect(image.files.filter(({ mode }) => (mode & 0o444) !== 0o444 || (mode & 0o022) !== 0)).toEqual([]);
  });

  test('prints its version and license, and uses a Node that the tests of the package run', () => {
    expect(image.labels).toMatchObject({
      'org.opencontainers.image.version': manifest.version,
      'org.opencontainers.image.licenses': manifest.license,
    });
    expect(releases.map((release) => `node:${release}-slim`)).toContain(image.base);
  });
});

describe('the companion in a pod', () => {
  test('runs as the user of the image, which Kubernetes can verify not to be root', () => {
    const [user, group] = companion.user.split(':').map(Number);
    const pods = podsOf((chart) => {
      new CompanionController(chart, 'hub', { image: 'a', namespace: 'ocm' });
      new AddOnAgent(chart, 'agent', { image: 'a', addOn: 'hello', namespace: 'hello' });
    });
    const expected = { runAsNonRoot: true, runAsUser: user, runAsGroup: group };
    expect(pods.map(({ securityContext }) => securityContext)).toEqual([
      expect.objectContaining(expected),
      expect.objectContaining(expected),
    ]);
    expect(user).toBeGreaterThan(0);
  });

  test('is the command that the image has, with other arguments than those of the image alone', () => {
    const [pod] = podsOf((chart) => {
      new CompanionController(chart, 'hub', { image: 'a', namespace: 'ocm' });
    });
    const [container] = pod?.containers ?? [];
    expect(container?.command).toBeUndefined();
    expect(container?.args?.slice(0, companion.command.length)).toEqual(companion.command);
    expect(programOf(companion)).toMatchObject({ source: 'build/fleetwright.mjs', mode: 0o755 });
    expect(read('build/fleetwright.mjs').split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  });
});

/** The file that the entry point leads to, as `PATH` and links lead there. */
function programOf({ entrypoint: [name = ''], links, files }: ImageDescription): object | undefined {
  const found = links.get(`/usr/local/bin/${name}`);
  return files.find(({ target }) => target === found);
}

describe('the plugin beside the repo server', () => {
  test('runs as the user of the image', () => {
    const { spec } = parse(read('packaging/gitops/argocd-plugin/repo-server.yaml')) as {
      readonly spec: { readonly template: { readonly spec: Pod } };
    };
    expect(spec.template.spec.containers[0]?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: Number(plugin.user),
      readOnlyRootFilesystem: true,
    });
  });

  test('is built by the command of the guide, from the folder of the package, with the tag of the patch', () => {
    const [, command = ''] = /```sh\n(docker build .*?)\nkubectl/s.exec(read('docs/gitops.md')) ?? [];
    const [, , ...parameters] = command.replaceAll('\\\n', '').split(/ +/);
    const installed = 'node_modules/fleetwright';
    const { spec } = parse(read('packaging/gitops/argocd-plugin/repo-server.yaml')) as {
      readonly spec: { readonly template: { readonly spec: Pod } };
    };
    expect(parameters).toEqual([
      '--tag',
      spec.template.spec.containers[0]?.image,
      '--file',
      `${installed}/packaging/gitops/argocd-plugin/Dockerfile`,
      installed,
    ]);
    expect(spec.template.spec.containers[0]?.image).toMatch(new RegExp(`:${manifest.version}$`));
    expect(packedFiles).toContain('packaging/gitops/argocd-plugin/repo-server.yaml');
  });

  test('has the configuration in the path that Argo CD reads, whose command is in the image', () => {
    const targets = plugin.files.map(({ target }) => target);
    expect(targets).toContain('/home/argocd/cmp-server/config/plugin.yaml');
    const { spec } = parse(read('packaging/gitops/argocd-plugin/plugin.yaml')) as {
      readonly spec: { readonly generate: { readonly command: readonly [string, string, string] } };
    };
    const [interpreter, program] = spec.generate.command;
    expect(interpreter).toBe('node');
    expect(targets).toContain(program);
  });
});

describe('the content of the image', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-image-')));
    for (const { source, target, mode } of companion.files) {
      const file = path.join(folder, target);
      mkdirSync(path.dirname(file), { recursive: true });
      cpSync(path.join(root, source), file);
      chmodSync(file, mode);
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Without a variable, a home or a package, and without the right to write a file or start a process. */
  const run = (...parameters: readonly string[]) => {
    const program = path.join(folder, companion.links.get('/usr/local/bin/fleetwright') ?? '');
    const only = [
      Number.parseInt(process.versions.node, 10) < 23 ? '--experimental-permission' : '--permission',
    ];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-warnings', ...only, '--allow-fs-read=*', program, ...parameters],
      { cwd: '/', env: {}, encoding: 'utf8' },
    );
    return { code: status, out: stdout, err: stderr };
  };

  test('runs by itself', () => {
    expect(run('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
    expect(run(...companion.command, '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('--leader-election-namespace') as string,
      err: '',
    });
  });

  test('is the complete companion, which reports that it is not in a pod', () => {
    const err = `error FW9004: there is no kubeconfig: neither KUBECONFIG nor ~/.kube/config, and this is not a pod
  = hint: name another file with --kubeconfig, or a context with --context

1 error
`;
    expect(run(...companion.command)).toEqual({ code: 2, out: '', err });
    expect(run('controller', 'agent', '--add-on', 'hello')).toEqual({ code: 2, out: '', err });
  });

  test('imports no module that Node has deprecated', () => {
    expect(read('build/fleetwright.mjs')).not.toMatch(/(?:require\(|from ?)["'](?:node:)?punycode["']/);
  });
});
