/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly target: string;
  readonly body?: { readonly content: string; readonly type: string };
  /** Each of them ends the request when it is aborted, also while its answer is read. */
  readonly signals: readonly AbortSignal[];
  /** So long may it take until the answer begins, in milliseconds: with waiting for credentials and for a connection. */
  readonly patience: number;
  /** So long may nothing come while the answer is read, in milliseconds. @default `patience` */
  readonly silence?: number;
  /** Whether it has a connection at once, however many requests are under way. */
  readonly urgent?: boolean;
}

/** An answer whose body is still to be read. Reading throws where the connection breaks before its end. */
export interface ApiResponse {
  readonly status: number;
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
  /** The header `Date`, in milliseconds since 1970. */
  readonly serverTime?: number | undefined;
  readonly body: AsyncIterable<string>;
}

/** The way to an API server: the network in use, anything else in tests. */
export interface Transport {
  /** The URL of the API server, without a password. */
  readonly server: string;
  /** @throws Error where no answer comes */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Ends all connections. */
  close(): void;
}
