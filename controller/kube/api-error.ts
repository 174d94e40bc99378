/** What an API server says when it refuses: its Status object, as far as it is read. */
export interface ApiStatus {
  /** The HTTP status. */
  readonly code: number;
  /** One word, such as `NotFound`, `Conflict`, `Invalid`, `Expired`. */
  readonly reason: string;
  readonly message: string;
  /** Seconds after which to come again, where the server says so. */
  readonly retryAfterSeconds?: number;
}

/** An answer of an API server that is not a success. */
export class ApiError extends Error {
  readonly status: ApiStatus;

  /** @param request - the method and the path, without the query */
  constructor(request: string, status: ApiStatus) {
    super(`${request}: ${status.message}`);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** No answer: the connection was refused or broke, or the server was silent for too long. */
export class ConnectionError extends Error {
  constructor(request: string, cause: unknown) {
    super(`${request}: ${sentenceOf(cause)}`, { cause });
    this.name = 'ConnectionError';
  }
}

/** An answer that is larger than the caller can take. It was not read to its end. */
export class AnswerTooLarge extends Error {
  constructor(request: string, most: number) {
    super(`${request}: the answer is larger than ${most} characters`);
    this.name = 'AnswerTooLarge';
  }
}

/**
 * What no repetition mends, such as an object that is refused as invalid: it is not tried again before something changes.
 * As controller-runtime's TerminalError.
 */
export class TerminalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TerminalError';
  }
}

export function isNotFound(error: unknown): boolean {
  return hasCode(error, 404);
}

/** Whoever asks lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, 403);
}

/** Another writer was first, or the object was deleted and created again. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 409) && !isAlreadyExists(error);
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.status.reason === 'AlreadyExists';
}

/** The resource version, or the rest of a list, is older than what the server keeps. */
export function isExpired(error: unknown): boolean {
  return hasCode(error, 410);
}

/**
 * Whether the same request may succeed later: not where the server says that the object is wrong, or that we may not.
 * What may not be done is tried again all the same: permissions come late, and no object changes when they do.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof TerminalError) return false;
  return !(error instanceof ApiError && [400, 405, 413, 415, 422].includes(error.status.code));
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof ApiError && error.status.code === code;
}

/** The first line of an error; where several addresses were tried, of the first. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  const [sentence = ''] = (first instanceof Error ? first.message : error.message).split('\n', 1);
  return sentence;
}
