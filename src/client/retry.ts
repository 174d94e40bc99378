import type { Clock } from './clock.ts';

/** How requests are retried whose server is busy: it answers 429 or 503 with the header `Retry-After`. */
export interface RetryPolicy {
  /** Maximum number of retries of one request. */
  readonly mostRetries: number;
  /** The longest wait before a retry, in seconds, whatever the server requests. */
  readonly longestWait: number;
}

/** The policy of requests. Its wait is long enough for Kubernetes' own servers, which request at most 32 seconds. */
export const retryPolicy: RetryPolicy = { mostRetries: 5, longestWait: 60 };

/**
 * Returns the wait before a retry, in milliseconds: what the server requests, and up to a fifth more, so that not all
 * clients retry at the same time.
 *
 * @param requested - seconds
 */
export function retryWait(
  requested: number,
  { longestWait }: Pick<RetryPolicy, 'longestWait'>,
  clock: Pick<Clock, 'random'>,
): number {
  return Math.min(requested, longestWait) * 1000 * (1 + clock.random() / 5);
}
