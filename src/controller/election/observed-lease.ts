import { microTimestamp, type Clock } from '../../client/clock.ts';
import type { ApiClient } from '../../client/api-client.ts';
import type { Stored } from '../../client/object.ts';
import { leases, type Lease } from './lease.ts';

export interface ObservedLeaseOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly name: string;
  readonly namespace: string;
  /** The identity under which it is claimed. */
  readonly holder: string;
  /** How long others wait after the last change of the Lease, in milliseconds. */
  readonly duration: number;
}

/**
 * A Lease that this process reads and claims. Only differences of the local clock count: a Lease whose content does not change for its
 * duration has no holder any more, whatever its times say. As client-go's leader election.
 */
export class ObservedLease {
  readonly #options: ObservedLeaseOptions;
  /** The Lease as it was last seen, and the time of its last change. */
  #last: { readonly lease: Stored<Lease>; readonly at: number } | undefined;

  constructor(options: ObservedLeaseOptions) {
    this.#options = options;
  }

  /** Whether another holder has claimed it, within its duration. */
  get isHeldByOther(): boolean {
    if (this.#last === undefined) return false;
    const { lease, at } = this.#last;
    // Kubernetes accepts a Lease without a spec, and tools clear it: nobody holds it.
    const { holderIdentity = '', leaseDurationSeconds = 0 } = lease.spec ?? {};
    if (holderIdentity === '' || holderIdentity === this.#options.holder) return false;
    return this.#options.clock.elapsed() - at < leaseDurationSeconds * 1000;
  }

  /** The holder that was last seen; empty without a holder. */
  get holder(): string {
    return this.#last?.lease.spec?.holderIdentity ?? '';
  }

  /** Reads it. Undefined if it does not exist. @throws ApiError */
  async read(signal: AbortSignal): Promise<Stored<Lease> | undefined> {
    const { client, name, namespace } = this.#options;
    const lease = await client.get(leases, { name, namespace }, signal);
    if (lease !== undefined) this.#observe(lease);
    return lease;
  }

  /**
   * Claims it, or renews the claim.
   *
   * @param lease - as it was read; undefined to create it
   * @param annotations - to set; others stay
   * @throws ApiError also if it has changed since it was read
   */
  async claim(
    lease: Stored<Lease> | undefined,
    signal: AbortSignal,
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { client, name, namespace } = this.#options;
    const spec = this.#claimOf(lease);
    if (lease === undefined) {
      const metadata = { name, namespace, annotations };
      const object = { apiVersion: leases.apiVersion, kind: 'Lease', metadata, spec };
      this.#observe(await client.create(leases, object, { signal }));
      return;
    }
    const metadata = { ...lease.metadata, annotations: { ...lease.metadata.annotations, ...annotations } };
    this.#observe(await client.update(leases, { ...lease, metadata, spec }, { signal }));
  }

  /** Gives it up if it is still claimed. As client-go: one second without a holder, so that others need not wait. @throws ApiError */
  async release(): Promise<void> {
    const { client, clock, holder } = this.#options;
    const lease = this.#last?.lease;
    if (lease?.spec?.holderIdentity !== holder) return;
    const renewTime = microTimestamp(clock.now());
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime };
    this.#observe(await client.update(leases, { ...lease, spec }, { signal: AbortSignal.timeout(5000) }));
  }

  #observe(lease: Stored<Lease>): void {
    if (this.#last?.lease.metadata.resourceVersion === lease.metadata.resourceVersion) return;
    this.#last = { lease, at: this.#options.clock.elapsed() };
  }

  #claimOf(lease: Stored<Lease> | undefined): NonNullable<Lease['spec']> {
    const { holder, clock, duration } = this.#options;
    const now = microTimestamp(clock.now());
    const { holderIdentity, acquireTime = now, leaseTransitions = 0 } = lease?.spec ?? {};
    const isOurs = holderIdentity === holder;
    return {
      holderIdentity: holder,
      leaseDurationSeconds: Math.ceil(duration / 1000),
      acquireTime: isOurs ? acquireTime : now,
      renewTime: now,
      leaseTransitions: lease === undefined || isOurs ? leaseTransitions : leaseTransitions + 1,
    };
  }
}
