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
  /**
   * Writes of the companion to objects that it had written before, with no change by anybody else to what they depend on since then, or
   * shortly before.
   */
  readonly unexplained: readonly string[];
}

/** What nobody has to answer. */
const unrelated: ReadonlySet<string> = new Set([
  'leases',
  'events',
  'subjectaccessreviews',
  'tokenreviews',
  'endpointslices',
]);
/** Definitions that the companion reads for all clusters. */
const definitions: ReadonlySet<string> = new Set([
  'clustermanagementaddons',
  'addontemplates',
  'addondeploymentconfigs',
]);
/**
 * Milliseconds after a change in which a write may have been computed without it: the caches of the companion do not get all kinds at the
 * same moment, and an API server with much to do needs a second for a write. The next write is then because of this change, however long
 * the queue is.
 */
const settling = 5000;

/**
 * Reads an audit log.
 *
 * @param companion - the user of the companion
 * @param since - milliseconds since the epoch: the beginning of the day
 */
export async function auditedWrites(file: string, companion: string, since: number): Promise<AuditedWrites> {
  const counts: Record<string, Record<string, number>> = {};
  const unexplained: string[] = [];
  /** When others last changed something, by cluster, and a definition. */
  const changed = new Map<string, number>();
  let defined = 0;
  /** When the companion last wrote each object. */
  const written = new Map<string, number>();
  for await (const line of createInterface(createReadStream(file))) {
    const write = JSON.parse(line) as Write;
    const { verb, objectRef = {}, responseStatus: { code = 0 } = {}, requestReceivedTimestamp } = write;
    const { resource = '', subresource, namespace = '', name = '' } = objectRef;
    if (code >= 300 || resource === '' || unrelated.has(resource)) continue;
    const time = Date.parse(requestReceivedTimestamp);
    const target = subresource === undefined ? resource : `${resource}/${subresource}`;
    const writer = writerOf(write, companion);
    if (time >= since) {
      const of = (counts[writer] ??= {});
      of[`${verb} ${target}`] = (of[`${verb} ${target}`] ?? 0) + 1;
    }
    const cluster = clusterOf(objectRef);
    if (writer !== 'companion') {
      if (definitions.has(resource)) defined = subresource === undefined ? time : defined;
      else if (cluster !== undefined) changed.set(cluster, time);
      continue;
    }
    const key = `${target} ${namespace}/${name}`;
    const before = written.get(key);
    written.set(key, time);
    const reason = Math.max(defined, changed.get(cluster ?? '') ?? 0);
    if (time >= since && before !== undefined && reason < before - settling)
      unexplained.push(`${requestReceivedTimestamp} ${verb} ${key}`);
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
