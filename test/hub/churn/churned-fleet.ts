import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { TableRequest } from '../../controller/hub/approval/hostile/hostile-request.ts';
import { requestTable } from '../../controller/hub/approval/hostile/table.ts';
import { ApiError, type ApiClient, type Impersonated } from '../client/api-client.ts';
import { ocmKinds, reference, roleBinding } from '../client/kinds.ts';
import {
  agentOf,
  createAddOn,
  createAuthority,
  createCluster,
  goodRequest,
  requestKind,
} from '../companion/fleet.ts';
import type { Random } from '../differential/random.ts';

const addOn = 'churned';
const authority = 'churned-authority';
export const signer = {
  signerName: 'churned.example.com/hello',
  signingCA: { name: authority, namespace: 'default' },
};
const clusters = Array.from({ length: 12 }, (_, index) => `churned-${index}`);
/** They have the add-on all the time: the agent runs on the first one, and the requests of the table name the second. */
export const [agentCluster, attackedCluster] = ['churned-0', 'churned-1'];
const neighbor = 'churned-10';
const target = { cluster: attackedCluster, addOn, neighbor, signer: signer.signerName };
const hostile = Object.values(requestTable(target))
  .flat()
  .filter(({ onHub, refusedBy }) => onHub === undefined && refusedBy !== 'none');

interface Request extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

/** Clusters with an add-on, which is installed and uninstalled, and the certificate requests of their agents. */
export class ChurnedFleet {
  readonly addOn = addOn;
  /** Requests that were sent and must not be approved. */
  hostileRequests = 0;
  goodRequests = 0;
  readonly #hub: ApiClient;
  readonly #random: Random;
  readonly #installed = new Set<string>([agentCluster, attackedCluster]);
  readonly #clients = new Map<string, ApiClient>();
  #hostile = new Map<string, TableRequest>();

  constructor(hub: ApiClient, random: Random) {
    this.#hub = hub;
    this.#random = random;
  }

  async create(): Promise<void> {
    await createAuthority(this.#hub, authority);
    await createAddOn(this.#hub, addOn, { signerName: signer.signerName, authority });
    const currentCluster = { clusterRoleName: 'view' };
    const customSigner = {
      ...signer,
      subject: { user: 'hello', groups: ['readers'], organizationUnit: ['edge'] },
    };
    await this.#hub.merge(reference(ocmKinds.addOnTemplate, addOn), {
      spec: {
        registration: [
          {
            type: 'KubeClient',
            kubeClient: { hubPermissions: [{ type: 'CurrentCluster', currentCluster }] },
          },
          { type: 'CustomSigner', customSigner },
        ],
      },
    });
    for (const cluster of clusters) await createCluster(this.#hub, cluster);
    for (const cluster of this.#installed) await this.#install(cluster);
  }

  /** Installs or uninstalls the add-on, changes its permissions, spoils a status, or sends requests. */
  async change(): Promise<void> {
    const cluster = this.#random.pick(clusters.slice(2));
    const onCluster = reference(ocmKinds.managedClusterAddOn, addOn, cluster);
    switch (this.#random.between(0, 5)) {
      case 0:
      case 1:
        if (this.#installed.delete(cluster)) await this.#hub.delete(onCluster);
        else {
          this.#installed.add(cluster);
          await this.#install(cluster);
        }
        return;
      case 2: {
        const spoiled = {
          ...reference(ocmKinds.managedClusterAddOn, addOn, this.#random.pick([...this.#installed])),
        };
        await this.#hub.merge(spoiled, { status: { registrations: null, conditions: null } }, 'status');
        return;
      }
      default:
        await this.#sendHostile();
    }
  }

  /** The names of hostile requests that are approved. Removes all requests. */
  async wrongApprovals(): Promise<readonly string[]> {
    const requests = (await this.#hub.list(...requestKind)) as readonly Request[];
    const wrong = requests.flatMap((request) => {
      const sent = this.#hostile.get(request.metadata.name ?? '');
      return sent !== undefined && isApproved(request) ? [sent.name] : [];
    });
    const own = requests.filter(({ metadata }) => this.#hostile.has(metadata.name ?? ''));
    for (const request of own) await this.#hub.delete(request);
    this.#hostile = new Map();
    return wrong;
  }

  /** Sends a request that must be approved, and returns whether it is by the deadline. */
  async isApproved(deadline: () => boolean, wait: () => Promise<void>): Promise<boolean> {
    // Requests of one cluster do not delay those of another one, and delay its own.
    const request = goodRequest(agentCluster, addOn);
    this.goodRequests += 1;
    await this.#clientOf(agentOf(agentCluster)).create(request);
    for (;;) {
      const found: Request | undefined = await this.#hub.get(...requestKind, request.metadata.name);
      if (isApproved(found)) break;
      if (deadline()) return false;
      await wait();
    }
    await this.#hub.delete(request);
    return true;
  }

  /** The clusters that are not as they should be: registered and permitted if the add-on is installed, and nothing else. */
  async differences(): Promise<readonly string[]> {
    const onClusters = (await this.#hub.list(...ocmKinds.managedClusterAddOn)).filter(
      ({ metadata }) => metadata.name === addOn,
    );
    const ofCompanion = 'app.kubernetes.io/managed-by=fleetwright-controller';
    const bindings = (await this.#hub.list(...roleBinding, undefined, ofCompanion)).filter(({ metadata }) =>
      metadata.name?.startsWith(`fleetwright:${addOn}:`),
    );
    const registered = new Set(
      onClusters.filter(isRegistered).map(({ metadata }) => metadata.namespace ?? ''),
    );
    const bound = new Set(bindings.map(({ metadata }) => metadata.namespace ?? ''));
    return clusters.filter((cluster) => {
      const isInstalled = this.#installed.has(cluster);
      return registered.has(cluster) !== isInstalled || bound.has(cluster) !== isInstalled;
    });
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  async #install(cluster: string): Promise<void> {
    await this.#hub.apply({ ...reference(ocmKinds.managedClusterAddOn, addOn, cluster), spec: {} });
  }

  async #sendHostile(): Promise<void> {
    const request = this.#random.pick(hostile);
    const good = goodRequest(attackedCluster, addOn, request.spec);
    const { user, groups } = request.requester ?? agentOf(attackedCluster);
    const sent = { ...good, metadata: { ...good.metadata, ...request.metadata } };
    try {
      // Anyone may create it, so that the companion is what refuses it.
      await this.#clientOf({ user, groups: [...groups, 'system:masters'] }).create(sent);
      this.#hostile.set(sent.metadata.name, request);
      this.hostileRequests += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #clientOf(somebody: Impersonated): ApiClient {
    const key = JSON.stringify(somebody);
    const client = this.#clients.get(key) ?? this.#hub.as(somebody);
    this.#clients.set(key, client);
    return client;
  }
}

function isApproved(request: Request | undefined): boolean {
  return request?.status?.conditions?.some(({ type }) => type === 'Approved') === true;
}

function isRegistered(object: KubernetesObject): boolean {
  const { registrations = [] } = (object['status'] ?? {}) as { readonly registrations?: readonly unknown[] };
  return registrations.length > 0;
}
