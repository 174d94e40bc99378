import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { mutatorsOf, refusalOf } from '../../../src/compiler/verify/index.ts';

// The messages are those of a kube-apiserver 1.35.
describe('the words of the API server name who refused a request', () => {
  test.each([
    [
      'a ValidatingAdmissionPolicy',
      422,
      `placements.cluster.open-cluster-management.io "a" is forbidden: ValidatingAdmissionPolicy 'owners' with binding 'all' denied request: no owner`,
      { by: 'admission', cause: 'ValidatingAdmissionPolicy owners (binding all)' },
    ],
    [
      'a webhook',
      400,
      'admission webhook "owners.example.com" denied the request: ask the platform team',
      { by: 'admission', cause: 'webhook owners.example.com' },
    ],
    [
      'a webhook that does not answer',
      500,
      'Internal error occurred: failed calling webhook "owners.example.com": failed to call webhook: connection refused',
      { by: 'admission', cause: 'webhook owners.example.com, which does not answer' },
    ],
    [
      'a webhook without dry runs',
      400,
      'admission webhook "owners.example.com" does not support dry run',
      { by: 'webhook without dry run', name: 'owners.example.com' },
    ],
    [
      'a quota',
      403,
      'configmaps "a" is forbidden: exceeded quota: few, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
      { by: 'admission', cause: 'ResourceQuota few' },
    ],
    [
      'RBAC',
      403,
      'placements.cluster.open-cluster-management.io "a" is forbidden: User "x" cannot patch resource "placements"',
      { by: 'permission' },
    ],
    ['the API server', 422, 'Placement "a" is invalid: spec: Required value', { by: 'server' }],
  ])('%s', (_, code, message, refusal) => {
    expect(refusalOf(code, message)).toEqual(refusal);
  });
});

describe('the webhooks and policies that may change an object', () => {
  const rule = (apiGroups: readonly string[], resources: readonly string[], operations = ['*']): object => ({
    apiGroups,
    apiVersions: ['*'],
    operations,
    resources,
  });
  const webhook = (name: string, rules: readonly object[]): KubernetesObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [{ name: `${name}.example.com`, rules }],
  });
  const request = { operation: 'CREATE', group: 'apps', plural: 'deployments' } as const;
  const words = (name: string): string =>
    `webhook ${name}.example.com (MutatingWebhookConfiguration ${name})`;

  test.each([
    ['all kinds', rule(['*'], ['*']), true],
    ['all kinds with subresources', rule(['*'], ['*/*']), true],
    ['this kind', rule(['apps'], ['deployments']), true],
    ['another group', rule([''], ['deployments']), false],
    ['another kind', rule(['apps'], ['daemonsets']), false],
    ['another operation', rule(['apps'], ['deployments'], ['UPDATE']), false],
    ['a subresource', rule(['apps'], ['deployments/status']), false],
  ])('a webhook for %s', (_, each, isMatch) => {
    expect(mutatorsOf([webhook('a', [each])], request)).toEqual(isMatch ? [words('a')] : []);
  });

  test('a policy, beside several webhooks', () => {
    const policy: KubernetesObject = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: 'labels' },
      spec: { matchConstraints: { resourceRules: [rule(['*'], ['*'])] } },
    };
    const all = [webhook('a', [rule(['*'], ['*'])]), policy, webhook('b', [])];
    expect(mutatorsOf(all, request)).toEqual([words('a'), 'MutatingAdmissionPolicy labels']);
  });
});
