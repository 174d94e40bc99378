import { expect, test } from 'vitest';
import { resolve } from '../../src/compiler/resolve.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { loaded } from './admit/loaded.ts';

test('there may be more findings than a call can have arguments', () => {
  const tolerations = Array.from({ length: 150_000 }, () => ({ key: 'gpu', operator: 'Is' }));
  const placement = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: 'pl', namespace: 'default' },
    spec: { tolerations },
  };
  const { diagnostics } = resolve([loaded(placement)], { now: 0, hub: hubVersion('1.3') });
  expect(diagnostics.filter(({ code }) => code === 'FW7015')).toHaveLength(tolerations.length);
});
