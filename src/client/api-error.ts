/** The Status object of an API server's error response, with the fields that are read. */
export interface ApiStatus {
  /** The HTTP status. */
  readonly code: number;
  /** One word, such as `NotFound`, `Conflict`, `Invalid`, `Expired`. */
  readonly reason: string;
  readonly message: string;
  /** Seconds after which to retry, if the server sends it. */
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

/** No answer: the connection was refused or lost, or the server was silent for too long. */
export class ConnectionError extends Error {
  constructor(request: string, cause: unknown) {
    super(`${request}: ${sentenceOf(cause)}`, { cause });
    this.name = 'ConnectionError';
  }
}

/**
 * Why an answer cannot be used: it exceeds a bound of the client in characters or in time, it is a list that never
 * ends, it is nested too deeply, it is not a JSON object, or it is a JSON object but not a list of objects.
 */
export type AnswerFault =
  | 'too-large'
  | 'too-slow'
  | 'too-deep'
  | 'endless'
  | 'not-json'
  | 'not-a-list'
  | 'not-an-object'
  | 'not-an-event'
  | 'wrong-type';

/** An answer that cannot be used, although the server accepted the request. It may not have been read to its end. */
export class AnswerError extends Error {
  readonly fault: AnswerFault;

  /** @param sentence - what is wrong with the answer; never contains a part of it, which may be that of a Secret */
  constructor(request: string, fault: AnswerFault, sentence: string) {
    super(`${request}: ${sentence}`);
    this.name = 'AnswerError';
    this.fault = fault;
  }
}

/**
 * An error that no retry fixes, such as an object that is rejected as invalid: it is not retried before something
 * changes. As controller-runtime's TerminalError.
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

/** Whether the user lacks the permission. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, 403);
}

/** Whether another client changed the object first, or the object was deleted and created again. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, 409) && !isAlreadyExists(error);
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.status.reason === 'AlreadyExists';
}

/** Whether the resource version, or the continue token of a list, is older than the data that the server keeps. */
export function isExpired(error: unknown): boolean {
  return hasCode(error, 410);
}

/** Whether an answer is larger than the client accepts. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof AnswerError && error.fault === 'too-large';
}

/**
 * Whether the same request may succeed later. Not if the server reports that the object is invalid. Forbidden
 * requests are retried all the same: permissions may be granted later, and no object changes then.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof TerminalError) return false;
  return !(error instanceof ApiError && [400, 405, 413, 415, 422].includes(error.status.code));
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof ApiError && error.status.code === code;
}

/** Returns the first line of an error; if several addresses were tried, that of the first. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  const [sentence = ''] = (first instanceof Error ? first.message : error.message).split('\n', 1);
  return sentence;
}
