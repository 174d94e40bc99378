import { ApiClient } from './api-client.ts';
import { HubWatch } from './hub-watch.ts';
import { readAccess } from './kubeconfig.ts';

/** Where a hub is. */
export interface HubAddress {
  /** Path of a kubeconfig of the hub's administrator. */
  readonly kubeconfig: string;
  /** Versions of the modules that it was built from, by module path. */
  readonly versions: Readonly<Record<string, string>>;
}

/** A hub as the tests use it. */
export interface Hub {
  readonly client: ApiClient;
  readonly watch: HubWatch;
  readonly versions: Readonly<Record<string, string>>;
  close(): void;
}

/** Connects to a running hub. */
export function connect({ kubeconfig, versions }: HubAddress): Hub {
  const client = new ApiClient(readAccess(kubeconfig));
  const watch = new HubWatch(client);
  return {
    client,
    watch,
    versions,
    close: () => {
      watch.close();
      client.close();
    },
  };
}
