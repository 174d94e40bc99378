import { expect, test } from 'vitest';
import { findingTexts } from '../check-fixture.ts';

const object = (name: string, metadata: string): string => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: ns${metadata} }
`;

test('metadata that only a hub writes is reported once, with the number of objects', () => {
  expect(
    findingTexts('FW7180', [
      object('a', ', uid: 1f0d, finalizers: [example.com/a, resources-finalizer.argocd.argoproj.io]'),
      object('b', ', ownerReferences: [{ apiVersion: v1, kind: Node, name: n, uid: 2f0d }]'),
      object('c', ', labels: { kustomize.toolkit.fluxcd.io/name: apps }'),
    ]),
  ).toEqual([
    expect.stringContaining(
      '3 objects have metadata that only a hub, its controllers or kubectl write, and synth omits it: ' +
        'finalizer example.com/a, kustomize.toolkit.fluxcd.io/name, ownerReferences, uid',
    ),
  ]);
});

test('metadata that users write is not reported', () => {
  expect(
    findingTexts('FW7180', [
      object('a', ', finalizers: [example.com/a], labels: { app: a }, creationTimestamp: null'),
      object('b', ', annotations: { kubectl.kubernetes.io/restartedAt: now }'),
    ]),
  ).toEqual([]);
});
