import type { ExpectedContent } from './content.ts';

/** The checks of a request, in order: cheap ones come first. */
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
  /** The fault, in one sentence without a full stop. Text of the request is quoted, and truncated if it is long. */
  readonly message: string;
}

/** Whether a request is approved; if not, the reason. */
export type Verdict =
  | { readonly approved: true; readonly grant: Grant }
  | { readonly approved: false; readonly refusal: Refusal }
  /** Everything else matches, and the content of the request must be compared with this first. */
  | { readonly approved: false; readonly refusal?: never; readonly unread: ExpectedContent };

/** The content that an approved request is entitled to. All of it comes from the registration, except for the key. */
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
  /** Seconds; undefined if the request leaves it to the signer. */
  readonly expirationSeconds: number | undefined;
}

/**
 * Returns text of a request for a message: quoted, and with all characters but printable ASCII as escapes, so that
 * neither a letter that looks like another nor a line break misleads the reader.
 */
export function quoted(text: string): string {
  const cut = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return JSON.stringify(cut).replaceAll(
    /[^\x20-\x7e\u2026]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
