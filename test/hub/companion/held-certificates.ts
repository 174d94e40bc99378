import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../client/api-client.ts';
import { secretFiles, type SecretFiles } from './secret-files.ts';

/** A certificate while it was in a Secret. Times are milliseconds since 1970. */
export interface HeldCertificate {
  readonly files: SecretFiles;
  /** When it ends to be good. */
  readonly end: number;
  /** When it was first seen. */
  readonly from: number;
  /** When it was last seen. */
  until: number;
}

/** Looks four times a second which certificate a Secret holds, as long as its cluster answers. */
export class HeldCertificates {
  readonly #end = new AbortController();
  readonly #held: HeldCertificate[] = [];
  readonly #following: Promise<void>;

  constructor(cluster: ApiClient, name: string, namespace: string) {
    this.#following = this.#follow(async () => await secretFiles(cluster, name, namespace));
  }

  /** In the order in which they were seen. */
  get all(): readonly HeldCertificate[] {
    return this.#held;
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#following;
  }

  async #follow(read: () => Promise<SecretFiles | undefined>): Promise<void> {
    while (!this.#end.signal.aborted) {
      // A cluster that is stopped does not answer.
      const files = await read().catch(() => undefined);
      if (files !== undefined) this.#note(files, Date.now());
      await delay(250);
    }
  }

  #note(files: SecretFiles, now: number): void {
    const last = this.#held.at(-1);
    const certificate = files['tls.crt'] ?? '';
    if (last?.files['tls.crt'] === certificate) {
      last.until = now;
      return;
    }
    const end = Date.parse(new X509Certificate(certificate).validTo);
    this.#held.push({ files, end, from: now, until: now });
  }
}
