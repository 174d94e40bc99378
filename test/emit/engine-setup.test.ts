import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkArgoCd } from '../../compiler/emit/engine-setup/argo-cd.ts';
import { checkFlux } from '../../compiler/emit/engine-setup/flux.ts';
import {
  ArgoCdApplication,
  ArgoCdApplicationSet,
  ArgoCdGenerator,
  FluxGitRepository,
  FluxKustomizations,
} from '../../constructs/index.ts';
import type { KubernetesObject } from '../../kubernetes/object-meta.ts';
import { objectsOf } from '../constructs/in-chart.ts';

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
    readFileSync(path.resolve(import.meta.dirname, '../../docs', name), 'utf8'),
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
