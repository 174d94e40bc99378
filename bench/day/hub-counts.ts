import type { ApiClient } from '../../test/hub/client/api-client.ts';

/** What the API server has counted since it was started. */
export interface HubCounts {
  /** Requests by verb, such as `PATCH`. */
  readonly requests: Readonly<Record<string, number>>;
  /** Bytes of etcd's file. */
  readonly storage: number;
}

/** Reads the metrics of the API server. */
export async function hubCounts(hub: ApiClient): Promise<HubCounts> {
  const requests: Record<string, number> = {};
  let storage = 0;
  for (const line of (await hub.readText('/metrics')).split('\n')) {
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (line.startsWith('apiserver_request_total{')) {
      const verb = /verb="([A-Z]+)"/.exec(line)?.[1] ?? '';
      requests[verb] = (requests[verb] ?? 0) + value;
    }
    if (line.startsWith('apiserver_storage_size_bytes')) storage += value;
  }
  return { requests, storage };
}
