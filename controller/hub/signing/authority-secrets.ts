import type { Clock } from '../../clock.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { isForbidden } from '../../kube/api-error.ts';
import { keyOfName, type ApiObject, type ObjectName } from '../../kube/object.ts';
import { namespacedResource } from '../../kube/resource.ts';
import { readAuthority, UnfitAuthority, type Authority, type AuthoritySecret } from './authority.ts';

interface Secret extends ApiObject {
  readonly data?: AuthoritySecret;
}

const secrets = namespacedResource<Secret>('v1', 'Secret', 'secrets');

/** So long is a Secret used before it is read again, in milliseconds: after that, a new authority signs. */
const freshness = 10_000;

interface Reading {
  readonly at: number;
  readonly data: Promise<AuthoritySecret>;
}

/**
 * Reads authorities from their Secrets, one by one and by name: so `get` on these is all that is needed, and no others
 * are ever in memory. Many certificates at once make one reading.
 */
export class AuthoritySecrets {
  readonly #client: ApiClient;
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(client: ApiClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @throws UnfitAuthority where the Secret is not there, may not be read, or does not hold one that can sign now. */
  async read(name: ObjectName): Promise<Authority> {
    const key = keyOfName(name);
    const now = this.#clock.elapsed();
    let reading = this.#readings.get(key);
    if (reading === undefined || now - reading.at > freshness) {
      reading = { at: now, data: this.#get(name) };
      this.#readings.set(key, reading);
      // A failure is not kept: the next certificate asks again.
      reading.data.catch(() => this.#readings.delete(key));
    }
    const data = await reading.data;
    try {
      return readAuthority(data, this.#clock.now());
    } catch (error) {
      if (!(error instanceof UnfitAuthority)) throw error;
      throw new UnfitAuthority(`the Secret ${key} cannot sign: ${error.message}`);
    }
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
