import type { ExpectedContent } from './content.ts';

/** The checks of a request, in their order: what costs little comes first. */
export const checks = [
  'labels',
  'backlog',
  'name',
  'signer',
  'cluster',
  'add-on',
  'registration',
  'requester',
  'usages',
  'expiration',
  'size',
  'encoding',
  'common-name',
  'organizations',
  'organizational-units',
  'alternative-names',
  'extensions',
  'key',
  'signature',
  'key-reuse',
  'limit',
] as const;

export type Check = (typeof checks)[number];

/** A check that a request failed. */
export interface Refusal {
  readonly check: Check;
  /** What is wrong, in one sentence without a full stop. What the request says is quoted, and cut where it is long. */
  readonly message: string;
}

/** Whether a request is approved; if not, why. */
export type Verdict =
  | { readonly approved: true; readonly grant: Grant }
  | { readonly approved: false; readonly refusal: Refusal }
  /** Everything else fits, and the content of the request has to be compared with this first. */
  | { readonly approved: false; readonly refusal?: never; readonly unread: ExpectedContent };

/** What an approved request entitles to. All of it comes from the registration, but for the key. */
export interface Grant {
  readonly cluster: string;
  readonly addOn: string;
  readonly signerName: string;
  readonly subject: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly organizationalUnits: readonly string[];
  };
  /** Alternative names that the certificate may have. */
  readonly dnsNames: readonly string[];
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** SHA-256 of it. */
  readonly fingerprint: string;
  /** Seconds; undefined where the request leaves it to the signer. */
  readonly expirationSeconds: number | undefined;
}

/**
 * Text of a request in a message: quoted, and with everything but printable ASCII written as escapes, so that neither a
 * letter that looks like another nor a line break misleads who reads it.
 */
export function quoted(text: string): string {
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return JSON.stringify(cut).replaceAll(
    /[^\x20-\x7e…]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
