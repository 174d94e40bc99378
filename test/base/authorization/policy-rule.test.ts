import { describe, expect, test } from 'vitest';
import { defaultClusterRoles } from '../../../src/base/authorization/default-cluster-roles.ts';
import { covers, isAllowed, type PolicyRule } from '../../../src/base/authorization/policy-rule.ts';

const rule = (verbs: string[], resources: string[], rest: Partial<PolicyRule> = {}): PolicyRule => ({
  apiGroups: [''],
  resources,
  verbs,
  ...rest,
});

describe('isAllowed', () => {
  test.each([
    [rule(['get'], ['pods']), true],
    [rule(['*'], ['*'], { apiGroups: ['*'] }), true],
    [rule(['list'], ['pods']), false],
    [rule(['get'], ['pods'], { apiGroups: ['apps'] }), false],
    [rule(['get'], ['pods'], { resourceNames: ['a'] }), true],
    [rule(['get'], ['pods'], { resourceNames: ['b'] }), false],
  ])('%j', (allowing, expected) => {
    expect(isAllowed([allowing], { verb: 'get', group: '', resource: 'pods', name: 'a' })).toBe(expected);
  });
  test('a request without a name needs a rule without names', () => {
    const request = { verb: 'create', group: '', resource: 'pods' };
    expect(isAllowed([rule(['create'], ['pods'], { resourceNames: ['a'] })], request)).toBe(false);
    expect(isAllowed([rule(['create'], ['pods'])], request)).toBe(true);
  });
});

describe('covers', () => {
  const both = rule(['get', 'list'], ['pods', 'secrets']);
  test('several rules together', () => {
    expect(covers([rule(['get', 'list'], ['pods']), rule(['*'], ['secrets'])], [both])).toBe(true);
    expect(covers([rule(['get', 'list'], ['pods']), rule(['get'], ['secrets'])], [both])).toBe(false);
  });
  test('names of resources', () => {
    const named = rule(['get'], ['pods'], { resourceNames: ['a', 'b'] });
    expect(covers([rule(['get'], ['pods'])], [named])).toBe(true);
    expect(covers([rule(['get'], ['pods'], { resourceNames: ['a'] })], [named])).toBe(false);
    expect(covers([named], [rule(['get'], ['pods'])])).toBe(false);
  });
  test('subresources', () => {
    expect(covers([rule(['get'], ['*/log'])], [rule(['get'], ['pods/log'])])).toBe(true);
    expect(covers([rule(['get'], ['pods'])], [rule(['get'], ['pods/log'])])).toBe(false);
  });
  test('URLs', () => {
    const urls = (...nonResourceURLs: string[]): PolicyRule => ({
      apiGroups: [],
      resources: [],
      verbs: ['get'],
      nonResourceURLs,
    });
    expect(covers([urls('/healthz*')], [urls('/healthz', '/healthz/etcd')])).toBe(true);
    expect(covers([urls('/healthz')], [urls('/metrics')])).toBe(false);
  });
  test('everything covers every ClusterRole of Kubernetes, which cover nothing else', () => {
    const rulesOf = (name: string): readonly PolicyRule[] =>
      defaultClusterRoles.find((role) => role.name === name)?.rules ?? [];
    for (const { name } of defaultClusterRoles)
      expect(covers(rulesOf('cluster-admin'), rulesOf(name))).toBe(true);
    expect(covers(rulesOf('system:aggregate-to-edit'), rulesOf('cluster-admin'))).toBe(false);
  });
});
