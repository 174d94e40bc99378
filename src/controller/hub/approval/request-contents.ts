import type { ApiClient } from '../../../client/api-client.ts';
import type { Stored } from '../../../client/object.ts';
import { certificateSigningRequests, type CachedRequest } from './certificate-requests.ts';
import { checkContent, type ExpectedContent, type RequestedKey } from './content.ts';
import type { Limits } from './facts.ts';
import type { ContentLookup } from './judge.ts';
import type { Refusal } from './verdict.ts';

interface CheckedContent {
  readonly uid: string;
  /** The expected content of the comparison. */
  readonly expected: string;
  readonly content: RequestedKey | Refusal;
}

/**
 * The results of the checks of request contents. The content of a request never changes. So it is read from the API
 * server and its signature verified once, unless its add-on registers something else in the meantime. The signed key
 * is the verified one: no other part of the content stays in memory.
 */
export class RequestContents {
  readonly #client: Pick<ApiClient, 'get'>;
  readonly #limits: Limits;
  /** By the names of requests. */
  readonly #checked = new Map<string, CheckedContent>();

  constructor(client: Pick<ApiClient, 'get'>, limits: Limits) {
    this.#client = client;
    this.#limits = limits;
  }

  /** Returns the lookup for `judge`. */
  of({ metadata: { name, uid } }: Stored<CachedRequest>): ContentLookup {
    return (expected) => {
      const finding = this.#checked.get(name);
      return finding?.uid === uid && finding.expected === textOf(expected) ? finding.content : undefined;
    };
  }

  /** Reads the content of a request and compares it. Returns whether the request still exists. */
  async read(
    { metadata: { name, uid } }: Stored<CachedRequest>,
    expected: ExpectedContent,
    signal: AbortSignal,
  ): Promise<boolean> {
    const request = await this.#client.get(certificateSigningRequests, { name }, signal);
    // Another request may have been created under its name.
    if (request?.metadata.uid !== uid) return false;
    const content = await checkContent(request.spec?.request ?? '', expected, this.#limits);
    this.#checked.set(name, { uid, expected: textOf(expected), content });
    return true;
  }

  /** Forgets a request that is no longer judged. */
  forget(name: string): void {
    this.#checked.delete(name);
  }
}

function textOf({ subject, dnsName }: ExpectedContent): string {
  return JSON.stringify([subject.commonName, subject.organizations, subject.organizationalUnits, dnsName]);
}
