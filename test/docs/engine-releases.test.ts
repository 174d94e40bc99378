import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const engines = path.join(root, 'test/gitops/engines');

/** The version of a module that a file of pinned modules has, without the `v`. */
function pinned(file: string, module: string): string {
  const text = readFileSync(path.join(engines, file), 'utf8');
  const [, version] = new RegExp(`^\\s*(?:require )?${module} v(\\S+)`, 'm').exec(text) ?? [];
  if (version === undefined) throw new Error(`${file} has no ${module}`);
  return version;
}

const argoCd = 'github.com/argoproj/argo-cd/v3';
const kustomizeController = 'github.com/fluxcd/kustomize-controller';

test('the releases in the documentation are those that test/gitops runs', () => {
  const rows = readFileSync(path.join(root, 'docs/gitops.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| (?:Argo CD|Flux) +\| \D*\d/.test(line))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  expect(rows).toEqual([
    ['Argo CD', pinned('argo-cd/go.mod', argoCd), `3.2 (${pinned('argo-cd/oldest.mod', argoCd)})`],
    [
      'Flux',
      `kustomize-controller ${pinned('flux/go.mod', kustomizeController)}, source-controller ${pinned('flux/go.mod', 'github.com/fluxcd/source-controller')}`,
      `2.6 (kustomize-controller ${pinned('flux-oldest/go.mod', kustomizeController)})`,
    ],
  ]);
});

test('CONTRIBUTING.md names the oldest releases', () => {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8').replaceAll('\n', ' ');
  expect(text).toContain(
    `Argo CD ${pinned('argo-cd/oldest.mod', argoCd)}, and kustomize-controller ${pinned('flux-oldest/go.mod', kustomizeController)}`,
  );
});
