import { goJson } from '../../../src/base/json/go-json.ts';
import { UnservedKind, type ApiClient } from '../client/api-client.ts';
import { until } from '../companion/until.ts';
import { permittingWork } from './granted-permissions.ts';
import type { Clients } from './played-works.ts';
import { cluster } from './random-works.ts';

/** Delivers the permitting work, and returns when the work agent has its permissions, and the kind that it defines is served. */
export async function permitAgent({ hub, managed }: Clients): Promise<void> {
  await hub.apply(permittingWork(cluster));
  await until('the permissions of the work agent', async () => mayWriteWidgets(managed));
}

async function mayWriteWidgets(managed: ApiClient): Promise<boolean> {
  const agent = managed.as({
    user: 'system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa',
    groups: ['system:authenticated'],
  });
  const type = { apiVersion: 'test.example.com/v1', kind: 'Widget' };
  const metadata = { name: 'a', namespace: 'default' };
  try {
    const refusal = await agent.refusal({ ...type, namespace: 'default' }, goJson({ ...type, metadata }));
    return refusal === undefined;
  } catch (error) {
    if (error instanceof UnservedKind) return false;
    throw error;
  } finally {
    agent.close();
  }
}
