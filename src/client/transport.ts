import type { Duplex } from 'node:stream';

/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly target: string;
  readonly body?: { readonly content: string; readonly type: string };
  /** Each of them ends the request when it is aborted, also while its answer is read. */
  readonly signals: readonly AbortSignal[];
  /**
   * How long it may take until the answer begins, in milliseconds: includes waiting for credentials and for a
   * connection.
   */
  readonly patience: number;
  /** How long the server may send nothing while the answer is read, in milliseconds. @default `patience` */
  readonly silence?: number;
  /** Whether it gets a connection immediately, regardless of the number of requests in flight. */
  readonly urgent?: boolean;
}

/** An answer whose body has not been read yet. Reading throws if the connection is lost before its end. */
export interface ApiResponse {
  readonly status: number;
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
  /** The header `Date`, in milliseconds since 1970. */
  readonly serverTime?: number | undefined;
  readonly body: AsyncIterable<string>;
}

/** A connection that the server has upgraded to another protocol. */
export interface UpgradedConnection {
  readonly stream: Duplex;
  /** What the server sent after its answer. */
  readonly head: Buffer;
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A request for another protocol on the same connection. */
export interface UpgradeRequest {
  /** The path with its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long the answer may take, in milliseconds. */
  readonly patience: number;
}

/** The connection to an API server: the network in use, anything else in tests. */
export interface Transport {
  /** The URL of the API server, without a password. */
  readonly server: string;
  /** @throws Error if there is no answer */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Ends all connections. */
  close(): void;
}

/** A transport whose connections can be upgraded. */
export interface UpgradableTransport extends Transport {
  /** Upgrades a new connection. @throws ApiError if the server refuses; Error if there is no answer */
  upgrade(request: UpgradeRequest): Promise<UpgradedConnection>;
}
