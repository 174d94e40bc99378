import type { ApiClient } from '../../../client/api-client.ts';
import type { Log } from '../../operation/log.ts';
import { secrets } from '../resources.ts';
import { decoded, isAgentSecret, agentSecret } from './agent-secret.ts';

export interface SecretInventoryOptions {
  readonly cluster: ApiClient;
  readonly log: Log;
  readonly addOn: string;
  readonly namespace: string;
}

/** Returns the name of the Secret that stores an open request, by the name of the Secret for its certificate. */
export function pendingName(secret: string): string {
  return `${secret}-pending`;
}

const namesKey = 'secrets';

/**
 * The Secrets that the agent created in a namespace. Another Secret stores their names. So the agent finds Secrets
 * whose registrations were removed while no agent ran, without permission to list Secrets.
 */
export class SecretInventory {
  readonly #options: SecretInventoryOptions;
  #stored: ReadonlySet<string> | undefined;

  constructor(options: SecretInventoryOptions) {
    this.#options = options;
  }

  /** Stores the names of Secrets. Call it before the Secrets are created, or a crash in between would lose them. */
  async add(names: readonly string[], signal: AbortSignal): Promise<void> {
    const stored = await this.#names(signal);
    if (names.every((name) => stored.has(name))) return;
    await this.#store(new Set([...stored, ...names]), signal);
  }

  /**
   * Deletes the Secrets with other names, and those of their requests.
   *
   * @throws the first error, once the others are deleted; the Secret is found again the next time
   */
  async removeAllBut(names: readonly string[], signal: AbortSignal): Promise<void> {
    const stored = await this.#names(signal);
    const obsolete = [...stored].filter((name) => !names.includes(name));
    if (obsolete.length === 0) return;
    const failures = new Map<string, unknown>();
    for (const name of obsolete) {
      try {
        await this.remove(pendingName(name), signal);
        if (await this.remove(name, signal))
          this.#options.log.info({ secret: name }, 'is no longer registered: the Secret was deleted');
      } catch (error) {
        failures.set(name, error);
      }
    }
    await this.#store(new Set([...names, ...failures.keys()]), signal);
    for (const error of failures.values()) throw error;
  }

  /** Deletes a Secret if the agent created it. @returns whether it was deleted */
  async remove(name: string, signal: AbortSignal): Promise<boolean> {
    const { cluster, addOn, namespace } = this.#options;
    const secret = await cluster.get(secrets, { namespace, name }, signal);
    if (secret === undefined || !isAgentSecret(secret, addOn)) return false;
    const { uid, resourceVersion } = secret.metadata;
    await cluster.delete(secrets, { namespace, name }, { uid, resourceVersion, signal });
    return true;
  }

  async #names(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { cluster } = this.#options;
    return (this.#stored ??= namesIn((await cluster.get(secrets, this.#record, signal))?.data?.[namesKey]));
  }

  async #store(names: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { cluster, addOn } = this.#options;
    const stored = this.#stored ?? new Set<string>();
    if (names.size === stored.size && [...names].every((name) => stored.has(name))) return;
    if (names.size === 0) await this.remove(this.#record.name, signal);
    else {
      const files = { [namesKey]: [...names].sort().join('\n') };
      await cluster.apply(secrets, agentSecret(this.#record, addOn, files), { signal });
    }
    this.#stored = names;
  }

  get #record(): { readonly namespace: string; readonly name: string } {
    const { addOn, namespace } = this.#options;
    return { namespace, name: `${addOn}-companion-secrets` };
  }
}

function namesIn(data: string | undefined): ReadonlySet<string> {
  return new Set(
    decoded(data ?? '')
      .split('\n')
      .filter(Boolean),
  );
}
