import { describe, expect, test } from 'vitest';
import { defaultLimits, type HubFacts } from '../../../../../src/controller/hub/approval/facts.ts';
import { registrations } from '../entitled-request.ts';
import { verdictOn } from '../verdict-on.ts';
import { Forger, type TableRequest, type Target } from './hostile-request.ts';
import { requestTable } from './table.ts';
import { addOnNameLabel, clusterNameLabel } from '../../../../../src/ocm/labels.ts';

const target: Target = {
  cluster: 'cluster1',
  addOn: 'hello',
  neighbor: 'cluster10',
  signer: 'example.com/hello',
};
const forger = new Forger(target);

/** A hub on which hello is registered on cluster1. Of the facts, the cluster and the add-on are those that a request names. */
const hub: HubFacts = {
  cluster: { metadata: { name: target.cluster }, spec: { hubAcceptsClient: true } },
  addOn: { metadata: { name: target.addOn }, status: { registrations } },
  declared: registrations,
  approvedWithKey: () => [],
  recentApprovals: 0,
};

/** `none` where a request is approved, else the check that refuses it. */
async function checkOf(
  { requester, metadata, spec }: TableRequest,
  facts: Partial<HubFacts> = {},
): Promise<string> {
  const verdict = await verdictOn(
    {
      metadata: {
        name: 'addon-cluster1-hello-x7k2p',
        labels: { [clusterNameLabel]: target.cluster, [addOnNameLabel]: target.addOn },
        ...metadata,
      },
      spec: {
        ...forger.with({}),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['digital signature', 'key encipherment', 'client auth'],
        username: requester?.user ?? 'system:open-cluster-management:cluster1:agent1',
        groups: requester?.groups ?? [
          'system:open-cluster-management:cluster1',
          'system:open-cluster-management:managed-clusters',
          'system:authenticated',
        ],
        ...spec,
      },
    },
    { ...hub, ...facts },
    defaultLimits,
  );
  return verdict.approved ? 'none' : verdict.refusal.check;
}

const table = requestTable(target);

describe.each(Object.entries(table))('%s', (_, requests) => {
  test.each(requests)('$name: $refusedBy', async (request) => {
    expect(await checkOf(request)).toBe(request.refusedBy);
  });
});

test('the table has hundreds of hostile requests, each with a distinct name', async () => {
  const all = Object.values(table).flat();
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.filter(({ refusedBy }) => refusedBy !== 'none').length).toBeGreaterThan(300);
});
