import type { Clock } from '../../../client/clock.ts';
import type { RequestInformer } from './certificate-requests.ts';

/** An approval that was sent and that the cache may not contain yet. */
interface Assumed {
  readonly claim: string;
  readonly fingerprint: string;
  readonly at: number;
}

/** After this number of milliseconds, an approval that was sent is in the cache, or never will be. */
const onTheWay = 60_000;

/**
 * The approved requests, by add-on and cluster and by key. The cache contains them a moment late. Until then they are
 * stored here, so that two requests at the same time are not both approved if only one of them may be.
 */
export class Approvals {
  readonly #requests: RequestInformer;
  readonly #clock: Clock;
  readonly #window: number;
  readonly #assumed = new Map<string, Assumed>();

  /** @param window - milliseconds within which approvals count */
  constructor(requests: RequestInformer, clock: Clock, window: number) {
    this.#requests = requests;
    this.#clock = clock;
    this.#window = window;
  }

  /** Records that an approval is about to be sent. */
  assume(request: string, approval: { readonly claim: string; readonly fingerprint: string }): void {
    this.#assumed.set(request, { ...approval, at: this.#clock.elapsed() });
  }

  /** Records that it failed. */
  forget(request: string): void {
    this.#assumed.delete(request);
  }

  /** Returns the names of the requests that were approved with a key. */
  withKey(fingerprint: string): readonly string[] {
    const requestNames = this.#requests.store.by('key', fingerprint).map(({ metadata }) => metadata.name);
    return [...requestNames, ...this.#onTheWay((assumed) => assumed.fingerprint === fingerprint)];
  }

  /**
   * Returns the times, in milliseconds since 1970, at which requests of an add-on on a cluster were approved within
   * the window.
   */
  recent(claim: string): readonly number[] {
    const now = this.#clock.now();
    const approvedNames = this.#requests.store
      .by('approved', claim)
      .map(({ approvedAt = now }) => approvedAt)
      // A time in the future comes from a clock that was set back since, and counts as long.
      .filter((at) => Math.abs(now - at) < this.#window);
    const sent = this.#onTheWay((assumed) => assumed.claim === claim);
    return [...approvedNames, ...sent.map(() => now)];
  }

  #onTheWay(belongs: (assumed: Assumed) => boolean): readonly string[] {
    const names: string[] = [];
    for (const [name, assumed] of this.#assumed) {
      const isCached = this.#requests.store.get(name)?.approvedAt !== undefined;
      if (isCached || this.#clock.elapsed() - assumed.at > onTheWay) this.#assumed.delete(name);
      else if (belongs(assumed)) names.push(name);
    }
    return names;
  }
}
