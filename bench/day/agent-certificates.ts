import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import type { ApiClient, WatchEvent } from '../../test/hub/client/api-client.ts';
import {
  agentOf,
  customRequest,
  goodRequest,
  requestKind,
  requestOfOldRelease,
  type RequestObject,
} from '../../test/hub/companion/fleet.ts';
import type { Random } from '../../test/hub/differential/random.ts';
import { ownSigner } from './add-ons.ts';

/** A certificate that an agent asked for. */
export interface IssuedCertificate {
  readonly addOn: string;
  readonly signer: string;
  /** When it was asked for, in milliseconds of `performance.now()`. */
  readonly sent: number;
  /** Milliseconds from the request to the certificate. */
  readonly milliseconds: number;
}

interface PendingRequest {
  readonly cluster: string;
  readonly addOn: string;
  readonly signer: string;
  readonly sent: number;
}

/** A certificate that a cluster needs, and when it is to be asked for. */
interface Renewal {
  readonly cluster: string;
  readonly addOn: string;
  readonly signer: string;
  readonly due: number;
}

interface RequestStatus {
  readonly certificate?: string;
  readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
}

/**
 * The registration agents' part of certificates: they ask for one for each registration in the status of a ManagedClusterAddOn, and again
 * at a random time within the lifetime.
 */
export class AgentCertificates {
  readonly issued: IssuedCertificate[] = [];
  /** Requests that were denied or not answered in time. */
  readonly faults: string[] = [];
  readonly #hub: ApiClient;
  readonly #random: Random;
  readonly #pending = new Map<string, PendingRequest>();
  /** Certificates and requests for one, as `cluster/addOn/signer`. */
  readonly #requested = new Set<string>();
  readonly #finished: { readonly name: string; readonly at: number }[] = [];
  readonly #queue: Renewal[] = [];
  #renewals: Renewal[] = [];
  readonly #end = new AbortController();
  readonly #tasks: Promise<void>[] = [];
  /** Milliseconds within which each certificate is renewed. Until the day begins, none is. */
  #lifetime = Infinity;
  /** Whether agents have the certificates of add-ons that appear, and only renew them. */
  #haveCertificates = true;

  constructor(hub: ApiClient, random: Random) {
    this.#hub = hub;
    this.#random = random;
  }

  /** Requests that have no certificate yet, or are about to be sent. */
  get waiting(): number {
    return this.#pending.size + this.#queue.length;
  }

  /** @param kept - milliseconds that a request stays on the hub after its certificate, as kube-controller-manager keeps it for an hour */
  start(kept: number): void {
    const senders = Array.from({ length: 6 }, async () => await this.#send());
    this.#tasks.push(this.#follow(), this.#clean(kept), this.#renew(), ...senders);
  }

  /**
   * From now on a share of the certificates is renewed once within a time in milliseconds, and agents ask for those of new add-ons.
   * Until then, agents have the certificates of all add-ons that appear.
   */
  rotateWithin(lifetime: number, share: number): void {
    this.#lifetime = lifetime / share;
    this.#haveCertificates = false;
    this.#renewals = this.#renewals.map((each) => ({ ...each, due: this.#nextRenewal() }));
  }

  /** From now on no certificate is renewed. */
  endRotation(): void {
    this.#lifetime = Infinity;
    this.#renewals = this.#renewals.map((each) => ({ ...each, due: Infinity }));
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#tasks);
  }

  /** Sees what an add-on registers on a cluster. */
  seeAddOn({ type, object }: WatchEvent): void {
    const { name = '', namespace = '' } = object.metadata;
    if (type === 'DELETED') {
      const isOf = (each: { readonly cluster: string; readonly addOn: string }): boolean =>
        each.cluster === namespace && each.addOn === name;
      for (const key of this.#requested)
        if (key.startsWith(`${namespace}/${name}/`)) this.#requested.delete(key);
      this.#renewals = this.#renewals.filter((each) => !isOf(each));
      // Nobody has to answer a request of an add-on that is no longer there.
      for (const [request, pending] of this.#pending) if (isOf(pending)) this.#pending.delete(request);
    }
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    const { registrations = [] } = (object['status'] ?? {}) as {
      readonly registrations?: readonly { readonly signerName: string }[];
    };
    for (const { signerName } of registrations) {
      const key = `${namespace}/${name}/${signerName}`;
      if (this.#requested.has(key)) continue;
      this.#requested.add(key);
      const certificate = { cluster: namespace, addOn: name, signer: signerName };
      if (this.#haveCertificates) this.#renewals.push({ ...certificate, due: Infinity });
      else this.#queue.push({ ...certificate, due: 0 });
    }
  }

  /** The number of certificates of add-ons whose names begin with a text. */
  countOf(addOns: string): number {
    return this.issued.filter(({ addOn }) => addOn.startsWith(addOns)).length;
  }

  /** Reports what was asked for and not answered. */
  noteMissed(): void {
    for (const request of this.#pending.keys()) this.faults.push(`${request} has no certificate`);
  }

  async #send(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const next = this.#queue.shift();
      if (next === undefined) await delay(50);
      else await this.#request(next);
    }
  }

  async #renew(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const now = performance.now();
      this.#queue.push(...this.#renewals.filter(({ due }) => due <= now));
      this.#renewals = this.#renewals.filter(({ due }) => due > now);
      await delay(500);
    }
  }

  async #request(renewal: Renewal): Promise<void> {
    const { cluster, addOn, signer } = renewal;
    // It was uninstalled meanwhile.
    if (!this.#requested.has(`${cluster}/${addOn}/${signer}`)) return;
    const object = requestFor(renewal);
    const agent = this.#hub.as(agentOf(cluster));
    this.#pending.set(object.metadata.name, { cluster, addOn, signer, sent: performance.now() });
    try {
      await agent.create(object);
      this.#renewals.push({ ...renewal, due: this.#nextRenewal() });
    } catch {
      // The API server is away, or has not made the permissions of a new cluster yet. Agents try again as well.
      this.#pending.delete(object.metadata.name);
      await delay(500);
      this.#queue.push(renewal);
    } finally {
      agent.close();
    }
  }

  #nextRenewal(): number {
    return performance.now() + this.#random.fraction() * this.#lifetime;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    const version = {};
    while (!signal.aborted)
      try {
        await this.#hub.watch(...requestKind, ({ object }) => this.#see(object), signal, version);
      } catch {
        await delay(500);
      }
  }

  #see({ metadata: { name = '' }, status }: KubernetesObject): void {
    const request = this.#pending.get(name);
    if (request === undefined) return;
    const { certificate, conditions = [] } = (status ?? {}) as RequestStatus;
    const refused = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refused !== undefined) this.faults.push(`${name} is ${refused.type}: ${refused.message ?? ''}`);
    if (certificate === undefined && refused === undefined) return;
    this.#pending.delete(name);
    const now = performance.now();
    this.#finished.push({ name, at: now });
    const { addOn, signer, sent } = request;
    if (certificate !== undefined) this.issued.push({ addOn, signer, sent, milliseconds: now - sent });
  }

  /** Deletes requests that have their certificates, as kube-controller-manager does after an hour. */
  async #clean(kept: number): Promise<void> {
    const [apiVersion, kind] = requestKind;
    while (!this.#end.signal.aborted) {
      const [first] = this.#finished;
      if (first === undefined || performance.now() - first.at < kept) {
        await delay(100);
        continue;
      }
      this.#finished.shift();
      const request = { apiVersion, kind, metadata: { name: first.name } };
      // One that is left because the API server is away does no harm.
      await this.#hub.delete(request).catch(() => undefined);
    }
  }
}

/** The request of an agent. OCM 1.2 approves those of its template add-ons only in the form of earlier agents. */
function requestFor({ cluster, addOn, signer }: Renewal): RequestObject {
  if (signer === ownSigner.signerName) return customRequest(cluster, addOn, { signerName: signer });
  return goodRequest(cluster, addOn, addOn.startsWith('hub') ? requestOfOldRelease(cluster, addOn) : {});
}
