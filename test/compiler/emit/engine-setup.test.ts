import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkArgoCd } from '../../../src/compiler/emit/engine-setup/argo-cd.ts';
import { checkFlux } from '../../../src/compiler/emit/engine-setup/flux.ts';
import {
  ArgoCdApplication,
  ArgoCdApplicationSet,
  ArgoCdGenerator,
  FluxGitRepository,
  FluxKustomizations,
} from '../../../constructs/index.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { objectsOf } from '../../constructs/in-chart.ts';

const repoUrl = 'https://git.example.com/platform/add-ons.git';

/** Objects without a location, as from a hub. */
function located(objects: readonly object[]) {
  return objects.map((object) => ({ object: object as KubernetesObject }));
}

test('Applications and ApplicationSets of the constructs have no findings', () => {
  const objects = objectsOf((chart) => {
    new ArgoCdApplication(chart, 'hello', { repoUrl, path: 'dist/hello' });
    new ArgoCdApplicationSet(chart, 'apps', {
      generators: [ArgoCdGenerator.directories({ repoUrl, revision: 'main', paths: ['dist/*'] })],
      applicationName: '{{.path.basename}}',
      template: { repoUrl, targetRevision: 'main', path: '{{.path.path}}' },
    });
  });
  expect(checkArgoCd(located(objects), {})).toEqual({ checked: 2, diagnostics: [] });
});

test('Kustomizations of the constructs have no findings, with compiled waves neither', () => {
  const objects = objectsOf((chart) => {
    const source = new FluxGitRepository(chart, 'add-ons', { url: repoUrl });
    new FluxKustomizations(chart, 'hello', { app: 'hello', source, waves: 2 });
  });
  const { checked, diagnostics } = checkFlux(located(objects));
  expect({ checked, diagnostics }).toEqual({ checked: 7, diagnostics: [] });
});

test('the Applications of the guides have no findings', () => {
  const guides = ['gitops.md', 'from-yaml-with-argocd.md', 'argo-cd-guides.md'].map((name) =>
    readFileSync(path.resolve(import.meta.dirname, '../../../docs', name), 'utf8'),
  );
  const blocks = guides.flatMap((text) =>
    [...text.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, yaml = '']) => yaml),
  );
  const objects = blocks
    .filter((yaml) => /^kind: Application(?:Set)?$/m.test(yaml))
    .flatMap((yaml) => parseAllDocuments(yaml).map((document) => document.toJS() as object));
  const { checked, diagnostics } = checkArgoCd(located(objects), {});
  expect(checked).toBeGreaterThan(0);
  expect(diagnostics).toEqual([]);
});

describe('the apps that Argo CD applies', () => {
  const missing = (chart: Parameters<typeof objectsOf>[0], ...folders: readonly string[]) =>
    checkArgoCd(
      located(objectsOf(chart)),
      {},
      folders.map((folder) => ({ folder, source: folder.replace('dist/', 'apps/') })),
    ).diagnostics.map(({ code, message }) => `${code} ${message}`);
  const set = (generators: readonly ArgoCdGenerator[], path: string): Parameters<typeof objectsOf>[0] => {
    return (chart) => {
      new ArgoCdApplicationSet(chart, 'apps', {
        generators,
        applicationName: '{{.path.basename}}',
        template: { repoUrl, path },
      });
    };
  };

  test('are those in the directories of a Git generator', () => {
    const directories = ArgoCdGenerator.directories({ repoUrl, paths: ['dist/*'] });
    expect(missing(set([directories], '{{.path.path}}'), 'dist/a', 'dist/hub/b')).toEqual([
      'FW9093 no Application applies dist/hub/b',
    ]);
    expect(
      missing(
        set([{ generator: { matrix: { generators: [directories.generator] } } }], '{{.path.path}}'),
        'dist/a',
      ),
    ).toEqual([]);
  });

  test('are not those in excluded directories', () => {
    const directories = [{ path: 'dist/*' }, { path: 'dist/old-?', exclude: true }];
    const generator = { generator: { git: { repoURL: repoUrl, directories } } };
    expect(missing(set([generator], '{{ .path.path }}'), 'dist/a', 'dist/old-1')).toEqual([
      'FW9093 no Application applies dist/old-1',
    ]);
  });

  test('are those that a template with other values can name', () => {
    const list = ArgoCdGenerator.list([{ app: 'a' }]);
    expect(missing(set([list], 'dist/{{.app}}'), 'dist/a', 'dist/hub/a')).toEqual([
      'FW9093 no Application applies dist/hub/a',
    ]);
  });

  test('are those in the folder of an Application', () => {
    expect(
      missing(
        (chart) => {
          new ArgoCdApplication(chart, 'all', { repoUrl, path: './dist/' });
        },
        'dist/a',
        'distant/b',
      ),
    ).toEqual(['FW9093 no Application applies distant/b']);
  });
});

test('the apps that Flux applies are those with their own Kustomizations, with one for all apps, and in an artifact', () => {
  const missing = (folder: string, app: string, kind = 'GitRepository'): readonly string[] => {
    const objects = objectsOf((chart) => {
      const source = new FluxGitRepository(chart, 'add-ons', { url: repoUrl });
      new FluxKustomizations(chart, 'of', { app, folder, source });
    }).map((object) => JSON.parse(JSON.stringify(object).replaceAll('GitRepository', kind)) as object);
    const outputs = ['dist/a', 'dist/b'].map((name) => ({ folder: name, source: '' }));
    return checkFlux(located(objects), outputs).diagnostics.map(({ message }) => message);
  };
  expect(missing('./dist', 'a')).toEqual(['no Kustomization applies dist/b']);
  expect(missing('./dist', '.stages')).toEqual([]);
  expect(missing('./dist/hub', '.stages')).toEqual(['no Kustomization applies dist/a, dist/b']);
  expect(missing('.', '.stages', 'OCIRepository')).toEqual([]);
});
