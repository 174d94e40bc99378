/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly target: string;
  readonly body?: { readonly content: string; readonly type: string };
  /** Ends the request, also while its answer is read. */
  readonly signal?: AbortSignal;
  /** So long may nothing come, in milliseconds. */
  readonly patience: number;
}

/** An answer whose body is still to be read. Reading throws where the connection breaks before its end. */
export interface ApiResponse {
  readonly status: number;
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
  readonly body: AsyncIterable<string>;
}

/** The way to an API server: the network in use, anything else in tests. */
export interface Transport {
  /** The URL of the API server. */
  readonly server: string;
  /** @throws Error where no answer comes */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Ends all connections. */
  close(): void;
}
