import type { ApiStatus } from './api-error.ts';
import type { Resource } from './resource.ts';
import type { ApiResponse } from './transport.ts';

/**
 * Returns the Status object of an error response. Busy servers send the time after which to retry; requests to others
 * are not retried here.
 */
export function refusal({ status, retryAfter }: ApiResponse, text: string): ApiStatus {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // An intermediary, such as a proxy, does not answer in JSON. A page in HTML is not a message.
    if (!/^\s*</.test(text)) body = { message: text.split('\n', 1)[0]?.slice(0, 200) };
  }
  const wait = status === 429 || status === 503 ? retryAfter : undefined;
  return {
    ...readStatus(body, status),
    code: status,
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  };
}

/** Returns the Status object of an answer, if it is one. @param status - the default code */
export function readStatus(body: unknown, status: number): ApiStatus {
  const { code, reason, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: unknown;
    readonly reason?: unknown;
    readonly message?: unknown;
  };
  return {
    code: typeof code === 'number' ? code : status,
    reason: typeof reason === 'string' ? reason : 'Unknown',
    message: typeof message === 'string' && message !== '' ? message : `status ${status}`,
  };
}

/**
 * This number of characters in a row of a Secret is no coincidence; names of clusters and namespaces are mostly
 * shorter.
 */
const tellTale = 16;

/**
 * Returns the same status without its message if that repeats text that was written to a Secret: API servers and
 * admission webhooks quote the value that they reject, and messages are written to logs and Events.
 */
export function withoutSecrets(status: ApiStatus, { kind }: Resource, header: string | undefined): ApiStatus {
  if (kind !== 'Secret' || header === undefined) return status;
  const { data = {}, stringData = {} } = JSON.parse(header) as Readonly<Record<string, object | undefined>>;
  const encoded = Object.values(data).filter((value) => typeof value === 'string');
  const plain = encoded.map((value) => Buffer.from(value, 'base64').toString('utf8'));
  const secrets = [...encoded, ...plain, ...Object.values(stringData).map(String)];
  return secrets.some((secret) => shares(status.message, secret))
    ? {
        ...status,
        message: `${status.reason}; the reason contains parts of the Secret, so it is not printed`,
      }
    : status;
}

/** Whether two texts have `tellTale` characters in a row in common. */
function shares(message: string, secret: string): boolean {
  const parts = new Set<string>();
  for (let at = 0; at + tellTale <= message.length; at += 1) parts.add(message.slice(at, at + tellTale));
  for (let at = 0; at + tellTale <= secret.length; at += 1)
    if (parts.has(secret.slice(at, at + tellTale))) return true;
  return false;
}
