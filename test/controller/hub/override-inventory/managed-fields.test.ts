import { expect, test } from 'vitest';
import {
  annotationTime,
  removalOfWriter,
} from '../../../../src/controller/hub/override-inventory/managed-fields.ts';
import type { ApiObject, Stored } from '../../../../src/client/object.ts';

const mark = 'example.com/mark';

interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly time?: string;
  readonly fieldsV1: object;
}

function written(...managedFields: readonly Writer[]): Stored<ApiObject> {
  const meta = { name: 'hello', namespace: 'c1', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  const metadata = Object.assign(meta, { managedFields });
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

const git: Writer = {
  manager: 'argocd-controller',
  operation: 'Apply',
  time: '2026-06-01T00:00:05Z',
  fieldsV1: {
    'f:metadata': {
      'f:annotations': { 'f:example.com/mark': {}, 'f:example.com/shared': {} },
      'f:labels': { 'f:app': {} },
      'f:ownerReferences': { 'k:{"uid":"x"}': {} },
    },
    'f:spec': { 'f:configs': {}, 'f:installNamespace': {} },
  },
};
const hub: Writer = {
  manager: 'addon',
  operation: 'Update',
  time: '2026-06-01T00:00:09Z',
  fieldsV1: {
    'f:metadata': { 'f:annotations': { '.': {}, 'f:example.com/shared': {}, 'f:example.com/hub': {} } },
    'f:spec': { '.': {}, 'f:installNamespace': {} },
    'f:status': { 'f:conditions': {} },
  },
};

test.each(['Apply', 'Update'] as const)(
  'fields of the writer of the mark are removed, except for those of other writers: %s',
  (operation) => {
    expect(removalOfWriter(written({ ...git, operation }, hub), mark)).toEqual({
      patch: {
        metadata: { labels: { app: null }, annotations: { [mark]: null } },
        spec: { configs: null },
      },
      removed: ['metadata.labels.app', 'metadata.annotations.example.com/mark', 'spec.configs'],
    });
  },
);

test('fields of two writers who both have the mark are removed', () => {
  const flux = { ...git, manager: 'kustomize-controller' };
  const { removed } = removalOfWriter(written(git, flux), mark);
  expect(removed).toContain('spec.configs');
});

test('nothing is removed if no writer has the mark', () => {
  expect(removalOfWriter(written(hub), mark)).toEqual({ patch: {}, removed: [] });
});

test('the time of an annotation is that of its last writer', () => {
  expect(annotationTime(written(git, hub), mark)).toBe(Date.parse('2026-06-01T00:00:05Z'));
  expect(annotationTime(written(git, hub), 'example.com/shared')).toBe(Date.parse('2026-06-01T00:00:09Z'));
  expect(annotationTime(written(hub), mark)).toBeUndefined();
});
