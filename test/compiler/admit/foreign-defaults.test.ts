import { describe, expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { loaded } from './loaded.ts';

function admitted(object: object): unknown {
  return admitObject(loaded({ metadata: { name: 'a' }, ...object })).object?.object;
}

describe('kinds beside add-ons get the defaults of the API server', () => {
  test('CustomResourceDefinitions', () => {
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
    const names = { kind: 'ExampleConfig', plural: 'exampleconfigs' };
    expect(admitted({ ...definition, spec: { names, scope: 'Namespaced' } })).toMatchObject({
      spec: {
        names: { ...names, singular: 'exampleconfig', listKind: 'ExampleConfigList' },
        scope: 'Namespaced',
        conversion: { strategy: 'None' },
      },
    });
    const own = {
      names: { ...names, singular: 'example', listKind: 'Examples' },
      conversion: { strategy: 'Webhook' },
    };
    expect(admitted({ ...definition, spec: own })).toMatchObject({ spec: own });
  });

  test.each(['RoleBinding', 'ClusterRoleBinding'])('%ss', (kind) => {
    const apiGroup = 'rbac.authorization.k8s.io';
    const account = { kind: 'ServiceAccount', name: 'a', namespace: 'b' };
    const binding = {
      apiVersion: `${apiGroup}/v1`,
      kind,
      roleRef: { kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'Group', name: 'g' }, { kind: 'User', name: 'u', apiGroup: '' }, account],
    };
    expect(admitted(binding)).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'view', apiGroup },
      subjects: [{ kind: 'Group', name: 'g', apiGroup }, { kind: 'User', name: 'u', apiGroup }, account],
    });
  });

  test('subjects that are neither users nor groups have no empty apiGroup', () => {
    const subject = { kind: 'ServiceAccount', name: 'a', namespace: 'b' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const written = admitted({ apiVersion, kind: 'RoleBinding', subjects: [{ ...subject, apiGroup: '' }] });
    expect(written).toEqual({
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      subjects: [subject],
    });
  });

  test('Namespaces have no empty spec', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } };
    expect(admitted({ ...namespace, spec: {} })).toEqual(namespace);
    const spec = { finalizers: ['example.com/a'] };
    expect(admitted({ ...namespace, spec })).toEqual({ ...namespace, spec });
  });

  test('Secrets', () => {
    expect(admitted({ apiVersion: 'v1', kind: 'Secret' })).toMatchObject({ type: 'Opaque' });
    const type = 'kubernetes.io/tls';
    expect(admitted({ apiVersion: 'v1', kind: 'Secret', type })).toMatchObject({ type });
  });

  test('but not if their shape differs from their kind', () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'a' },
      spec: 'none',
    };
    expect(admitted(definition)).toEqual(definition);
  });
});
