import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

// The audit log of the hub's API server: who wrote what, in the order in which the writes were answered.

/** A write to the hub that changed something or was to. */
interface Write {
  readonly verb: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

/** The writes of the day. */
export interface AuditedWrites {
  /** By who wrote, then by verb and resource. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Writes of the companion to objects that it had written before, with no change by anybody else to what they depend on in between. */
  readonly unexplained: readonly string[];
}

/** What the companion's answer to a change of a cluster's object does not depend on. */
const unrelated = new Set(['leases', 'events', 'subjectaccessreviews', 'tokenreviews', 'endpointslices']);

/**
 * Reads an audit log.
 *
 * @param companion - the user of the companion
 * @param since - milliseconds since the epoch: the beginning of the day
 */
export async function auditedWrites(file: string, companion: string, since: number): Promise<AuditedWrites> {
  const counts: Record<string, Record<string, number>> = {};
  const unexplained: string[] = [];
  /** The number of the last write of others to the objects of a cluster, and to those of no cluster. */
  const [onClusters, onHub] = [new Map<string, number>(), { last: 0 }];
  const own = new Map<string, number>();
  let number = 0;
  for await (const line of createInterface(createReadStream(file))) {
    const write = JSON.parse(line) as Write;
    const { verb, objectRef = {}, responseStatus: { code = 0 } = {} } = write;
    const { resource = '', subresource, namespace, name = '' } = objectRef;
    if (
      code >= 300 ||
      resource === '' ||
      (write.impersonatedUser?.username === undefined &&
        unrelated.has(resource) &&
        write.user.username !== companion)
    )
      continue;
    number += 1;
    const isCompanion = write.user.username === companion;
    const isInDay = Date.parse(write.requestReceivedTimestamp) >= since;
    const target = subresource === undefined ? resource : `${resource}/${subresource}`;
    if (isInDay) {
      const of = (counts[writerOf(write, companion)] ??= {});
      of[`${verb} ${target}`] = (of[`${verb} ${target}`] ?? 0) + 1;
    }
    if (!isCompanion) {
      if (unrelated.has(resource)) continue;
      const cluster = clusterOf(objectRef);
      if (cluster === undefined) onHub.last = number;
      else onClusters.set(cluster, number);
      continue;
    }
    if (unrelated.has(resource)) continue;
    const key = `${target} ${namespace ?? ''}/${name}`;
    const before = own.get(key);
    own.set(key, number);
    const cluster = clusterOf(objectRef);
    const reason = Math.max(onHub.last, cluster === undefined ? 0 : (onClusters.get(cluster) ?? 0));
    if (isInDay && before !== undefined && reason < before)
      unexplained.push(`${write.requestReceivedTimestamp} ${verb} ${key}`);
  }
  return { counts, unexplained };
}

/** The cluster whose objects these are. A request for a certificate names its cluster in its name. */
function clusterOf({ resource, namespace, name = '' }: NonNullable<Write['objectRef']>): string | undefined {
  if (namespace !== undefined) return namespace;
  if (resource === 'managedclusters') return name;
  if (resource === 'certificatesigningrequests') return /^addon-(c\d+)-/.exec(name)?.[1];
  return undefined;
}

function writerOf({ user, impersonatedUser, userAgent = '' }: Write, companion: string): string {
  if (user.username === companion) return 'companion';
  if (impersonatedUser !== undefined) return 'agents';
  if (userAgent.startsWith('add-on-manager')) return 'add-on manager';
  if (userAgent === '') return 'agents and engine';
  return 'hub';
}
