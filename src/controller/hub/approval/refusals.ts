import type { Source } from '../../queue/controller.ts';

/** A request without a certificate, with the reason. */
export interface RefusedRequest {
  readonly request: string;
  /** One word in camel case, such as `RequesterRefused`. */
  readonly reason: string;
  readonly message: string;
  /**
   * Whether it comes from the cluster's own agent. Others may send anything, and must not hide the reports about the
   * agent's requests.
   */
  readonly isFromAgent: boolean;
  /** When the request was created, in the format of Kubernetes. */
  readonly created: string;
}

/** The refused requests of every add-on on every cluster, by the key of its ManagedClusterAddOn. */
export class Refusals implements Source {
  readonly #byClaim = new Map<string, Map<string, RefusedRequest>>();
  readonly #claims = new Map<string, string>();
  readonly #listeners = new Set<(claim: string) => void>();

  /** Records that a request is refused. Returns whether that is new, or the reason has changed. */
  record(claim: string, refused: RefusedRequest): boolean {
    const before = this.#byClaim.get(claim)?.get(refused.request);
    if (before?.reason === refused.reason && before.message === refused.message) return false;
    this.clear(refused.request);
    const ofClaim = this.#byClaim.get(claim) ?? new Map<string, RefusedRequest>();
    this.#byClaim.set(claim, ofClaim.set(refused.request, refused));
    this.#claims.set(refused.request, claim);
    this.#notify(claim);
    return true;
  }

  /** Records that a request is no longer refused, or is gone. */
  clear(request: string): void {
    const claim = this.#claims.get(request);
    if (claim === undefined) return;
    this.#claims.delete(request);
    const ofClaim = this.#byClaim.get(claim);
    ofClaim?.delete(request);
    if (ofClaim?.size === 0) this.#byClaim.delete(claim);
    this.#notify(claim);
  }

  /** Whether any request of an add-on on a cluster is refused. */
  has(claim: string): boolean {
    return this.#byClaim.has(claim);
  }

  /** Returns the refusal to report: those of the cluster's own agent before others, the latest first. */
  foremost(claim: string): RefusedRequest | undefined {
    let latest: RefusedRequest | undefined;
    for (const refused of this.#byClaim.get(claim)?.values() ?? []) {
      if (latest === undefined || isBefore(refused, latest)) latest = refused;
    }
    return latest;
  }

  subscribe(enqueue: (key: string) => void): () => void {
    this.#listeners.add(enqueue);
    for (const claim of this.#byClaim.keys()) enqueue(claim);
    return () => this.#listeners.delete(enqueue);
  }

  #notify(claim: string): void {
    for (const listener of this.#listeners) listener(claim);
  }
}

function isBefore(one: RefusedRequest, other: RefusedRequest): boolean {
  if (one.isFromAgent !== other.isFromAgent) return one.isFromAgent;
  if (one.created !== other.created) return one.created > other.created;
  return one.request < other.request;
}
