import { expect, test } from 'vitest';
import { findingTexts } from '../check-fixture.ts';

const object = (annotations: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: ns, annotations: { ${annotations} } }\n`;

test.each([
  ["argocd.argoproj.io/sync-options: 'ServerSideApply=true, Replace=true'", 'with Replace=true, Argo CD'],
  ['argocd.argoproj.io/sync-options: Force=true', 'with Force=true, Argo CD deletes and re-creates'],
  ['kustomize.toolkit.fluxcd.io/force: Enabled', 'Flux deletes and re-creates the object'],
  ['kustomize.toolkit.fluxcd.io/ssa: IfNotPresent', 'Flux never updates the object'],
])('%s is reported', (annotations, text) => {
  expect(findingTexts('FW7182', [object(annotations)])).toEqual([expect.stringContaining(text)]);
});

test('other options are not reported', () => {
  const others =
    'argocd.argoproj.io/sync-options: Prune=false, kustomize.toolkit.fluxcd.io/prune: disabled, kustomize.toolkit.fluxcd.io/ssa: merge';
  expect(findingTexts('FW7182', [object(others)])).toEqual([]);
});
