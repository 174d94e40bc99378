import { setMaxListeners } from 'node:events';
import type { ApiClient } from '../../client/api-client.ts';
import { fenced } from '../../client/fence.ts';
import {
  LeaderElection,
  type LeaderElectionOptions,
  type LeaderElectionTiming,
} from '../election/leader-election.ts';
import { ReplicaGroup, type Membership } from '../election/replica-group.ts';
import { shardsFor, type Claims, type Replica } from '../election/shard-claims.ts';
import type { Metrics } from '../operation/metrics.ts';
import { HubService, type HubServiceOptions } from './hub-service.ts';
import type { Shard } from './shard.ts';

export interface ShardedRun extends HubServiceOptions {
  /** For requests about Leases. */
  readonly urgent: ApiClient;
  /** The namespace of the Leases. */
  readonly namespace: string;
  readonly metrics: Metrics;
  /** The services of the shards that this replica serves or waits for, and what elects it, for health checks. */
  readonly services: Set<HubService>;
  readonly elections: Set<Pick<LeaderElection, 'overdue'>>;
  /** Ends work that takes too long after a stop. */
  readonly abandoned: AbortSignal;
}

/** Returns the election for the Lease of a name. */
export function leaderElection(
  { settings, urgent, clock, identity, namespace }: ShardedRun,
  { name, log, onLeadership }: Pick<LeaderElectionOptions, 'name' | 'log' | 'onLeadership'>,
): LeaderElection {
  return new LeaderElection({
    client: urgent,
    clock,
    log,
    name,
    namespace,
    identity,
    timing: timingOf(settings),
    ...(onLeadership && { onLeadership }),
  });
}

/** Returns the group of the replicas that divide the clusters of a hub among them. */
export function replicaGroup({
  settings,
  urgent,
  clock,
  log,
  identity,
  namespace,
}: ShardedRun): ReplicaGroup {
  return new ReplicaGroup({
    client: urgent,
    clock,
    log,
    name: settings.leaderElectionName,
    namespace,
    group: `${settings.shards} shards`,
    identity,
    timing: timingOf(settings),
  });
}

/**
 * Serves a part of the clusters until the signal is aborted. Each shard has its own Lease, caches and queues. The caches are filled when
 * this replica gets the Lease, so that the replicas divide the memory as well as the work.
 */
export async function runShards(run: ShardedRun, group: ReplicaGroup, signal: AbortSignal): Promise<void> {
  await group.run(() => new ShardMembership(run, group), signal);
}

/** The shards that a replica serves or waits for while it belongs to the group. */
class ShardMembership implements Membership {
  readonly #run: ShardedRun;
  readonly #group: ReplicaGroup;
  readonly #candidacies = new Map<number, Candidacy>();
  #ends = false;

  constructor(run: ShardedRun, group: ReplicaGroup) {
    this.#run = run;
    this.#group = group;
  }

  readonly claim = (others: readonly Replica[]): Claims => {
    const { settings, identity, log } = this.#run;
    const wanted = this.#ends ? [] : shardsFor({ id: identity, ...this.#claims() }, others, settings.shards);
    for (const [shard, candidacy] of this.#candidacies)
      if (!wanted.includes(shard) && candidacy.withdraw()) log.info({ shard }, 'gives up a shard');
    for (const shard of wanted) if (!this.#candidacies.has(shard)) this.#stand(shard);
    return this.#claims();
  };

  async end(): Promise<void> {
    this.#ends = true;
    for (const candidacy of this.#candidacies.values()) candidacy.withdraw();
    while (this.#candidacies.size > 0)
      await Promise.all(Array.from(this.#candidacies.values(), async ({ ended }) => await ended));
  }

  /** Those that are being given up are not claimed any more, although their work may still end. */
  #claims(): Claims {
    const claimed = [...this.#candidacies].filter(([, { isWithdrawn }]) => !isWithdrawn);
    return {
      leads: claimed.flatMap(([shard, { leads }]) => (leads ? [shard] : [])),
      waitsFor: claimed.flatMap(([shard, { leads }]) => (leads ? [] : [shard])),
    };
  }

  #stand(index: number): void {
    const shard = { index, count: this.#run.settings.shards };
    const candidacy = new Candidacy(this.#run, this.#group, shard, () => this.#report());
    this.#candidacies.set(index, candidacy);
    void candidacy.ended.then(() => this.#candidacies.delete(index));
  }

  #report(): void {
    this.#run.metrics.onShards([...this.#candidacies.values()].filter(({ leads }) => leads).length);
  }
}

/** Waits for the Lease of a shard, and serves it. */
class Candidacy {
  readonly ended: Promise<void>;
  readonly #withdrawn = new AbortController();
  #leads = false;

  constructor(run: ShardedRun, group: ReplicaGroup, shard: Shard, onLeadership: () => void) {
    const election = leaderElection(run, {
      log: run.log.child({ shard: shard.index }),
      name: `${run.settings.leaderElectionName}-shard-${shard.index}`,
      onLeadership: (leads) => {
        this.#leads = leads;
        onLeadership();
      },
    });
    run.elections.add(election);
    const serve = async (leading: AbortSignal): Promise<void> =>
      await serveShard(run, { group, election, shard }, leading);
    this.ended = election.run(serve, this.#withdrawn.signal).finally(() => run.elections.delete(election));
  }

  /** Whether this replica serves the shard now. */
  get leads(): boolean {
    return this.#leads;
  }

  get isWithdrawn(): boolean {
    return this.#withdrawn.signal.aborted;
  }

  /** Gives the shard up after the work in flight. Returns whether that is new. */
  withdraw(): boolean {
    if (this.isWithdrawn) return false;
    this.#withdrawn.abort();
    return true;
  }
}

interface ShardLead {
  readonly group: ReplicaGroup;
  readonly election: LeaderElection;
  readonly shard: Shard;
}

/** Fills the caches of a shard and serves it until `leading` is aborted. */
async function serveShard(
  { metrics, services, abandoned, ...run }: ShardedRun,
  { group, election, shard }: ShardLead,
  leading: AbortSignal,
): Promise<void> {
  const end = AbortSignal.any([election.signal, group.signal, abandoned]);
  const following = new AbortController();
  setMaxListeners(0, following.signal, end);
  const writer = run.client.over((transport) => fenced(fenced(transport, group), election));
  const log = run.log.child({ shard: shard.index });
  const service = new HubService(
    { ...run, log },
    { shard, writer, metrics: metrics.ofShard() },
    following.signal,
  );
  services.add(service);
  const followed = service.follow();
  try {
    await service.work(leading, end);
  } finally {
    following.abort();
    await followed;
    services.delete(service);
  }
}

function timingOf({
  leaseDuration,
  renewDeadline,
  retryPeriod,
}: HubServiceOptions['settings']): LeaderElectionTiming {
  return { lease: leaseDuration, renewDeadline, retry: retryPeriod };
}
