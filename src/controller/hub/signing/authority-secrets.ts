import type { Clock } from '../../../client/clock.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import { isForbidden } from '../../../client/api-error.ts';
import { keyOfName, type ApiObject, type ObjectName } from '../../../client/object.ts';
import { namespacedResource } from '../../../client/resource.ts';
import { readAuthority, UnfitAuthority, type Authority, type AuthoritySecret } from './authority.ts';

interface Secret extends ApiObject {
  readonly data?: AuthoritySecret;
}

const secrets = namespacedResource<Secret>('v1', 'Secret', 'secrets');

/** Milliseconds for which a Secret stays in memory: after that, a new authority signs. */
const freshness = 10_000;

interface Reading {
  readonly at: number;
  readonly data: Promise<AuthoritySecret>;
}

/**
 * Reads authorities from their Secrets, one by one and by name. So only `get` on these is needed, and no others are
 * ever in memory. Many certificates at once cause one read. Keys leave memory soon after the last certificate.
 */
export class AuthoritySecrets {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(client: ApiClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** The number of Secrets in memory. */
  get size(): number {
    return this.#readings.size;
  }

  /**
   * @param ended - aborted when this replica no longer signs
   * @throws UnfitAuthority if the Secret does not exist, may not be read, or does not contain an authority that can
   * sign now.
   */
  async read(name: ObjectName, ended: AbortSignal): Promise<Authority> {
    const key = keyOfName(name);
    const now = this.#clock.elapsed();
    let reading = this.#readings.get(key);
    // A suspended machine resumes late.
    if (reading === undefined || now - reading.at > freshness) {
      reading = { at: now, data: this.#get(name) };
      this.#readings.set(key, reading);
      void this.#forget(key, reading, ended);
    }
    const data = await reading.data;
    try {
      return readAuthority(data, this.#clock.now());
    } catch (error) {
      if (!(error instanceof UnfitAuthority)) throw error;
      throw new UnfitAuthority(`the Secret ${key} cannot sign: ${error.message}`);
    }
  }

  /** A failure is not kept: the next certificate reads again. */
  async #forget(key: string, reading: Reading, ended: AbortSignal): Promise<void> {
    try {
      await reading.data;
      await this.#clock.sleep(freshness, ended);
    } catch {
      // The callers that wait for the read handle its failure.
    }
    if (this.#readings.get(key) === reading) this.#readings.delete(key);
  }

  async #get(name: ObjectName): Promise<AuthoritySecret> {
    const key = keyOfName(name);
    try {
      const secret = await this.#client.get(secrets, name);
      if (secret === undefined) throw new UnfitAuthority(`there is no Secret ${key}`);
      return secret.data ?? {};
    } catch (error) {
      if (isForbidden(error)) {
        throw new UnfitAuthority(`the Secret ${key} may not be read: this controller lacks "get" on it`);
      }
      throw error;
    }
  }
}
