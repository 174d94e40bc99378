import type { Clock } from './clock.ts';
import { AnswerTooLarge, ApiError, ConnectionError } from './api-error.ts';
import { readStatus, refusal, withoutSecrets } from './api-status.ts';
import type { ApiObject, Stored } from './object.ts';
import type { Resource, Subresource } from './resource.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';
import { splitLines } from './watch-lines.ts';

/** The report of a request, for metrics. */
export interface RequestReport {
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'apply' | 'delete';
  /** The plural, with the subresource: `managedclusteraddons/status`. For other paths, their first part: `/apis`. */
  readonly resource: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly code: number;
  /** The time until the answer was read; for a watch, until it began. */
  readonly seconds: number;
  /**
   * Milliseconds by which the clock was ahead of that of the server when its answer began; undefined if that is
   * unknown.
   */
  readonly clockSkew: number | undefined;
}

export interface ApiCallOptions {
  readonly clock: Clock;
  readonly onRequest?: (report: RequestReport) => void;
  /** How long a server may send nothing, in milliseconds. @default 30 seconds */
  readonly patience?: number;
  /** Whether requests get connections at once, regardless of the number of requests in flight. @default false */
  readonly urgent?: boolean;
}

/** One request to an API server, before it is encoded. */
export interface ApiCall {
  readonly verb: RequestReport['verb'];
  readonly resource: Resource;
  readonly subresource?: Subresource | undefined;
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: ApiRequest['body'];
  /** Whether a request to a busy server is not retried. */
  readonly once?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum number of characters of an error response that are read: a longer text is useless in a message. */
const largestRefusal = 1024 * 1024;
/** Maximum number of retries for a busy server. */
const mostRetries = 5;
/** The longest wait for a busy server, in seconds: Kubernetes' own never requests more than 32. */
const longestWait = 60;

/**
 * Sends requests, retries them if the server asks for it, reads answers as JSON, and converts error responses to
 * errors.
 */
export class ApiCalls {
  readonly #transport: Transport;
  readonly #options: ApiCallOptions;

  constructor(transport: Transport, options: ApiCallOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  async object<T extends ApiObject>(resource: Resource<T>, call: ApiCall): Promise<Stored<T>> {
    return (await this.json({ ...call, resource })) as Stored<T>;
  }

  /** Returns the whole answer. */
  async json(call: ApiCall): Promise<unknown> {
    return (await this.sizedJson(call, Infinity)).value;
  }

  /**
   * Returns the whole answer, with the number of its characters.
   *
   * @param most - maximum number of characters to read
   * @throws AnswerTooLarge if there are more
   */
  async sizedJson(call: ApiCall, most: number): Promise<{ readonly value: unknown; readonly size: number }> {
    return await this.#send(call, undefined, async (response) => {
      const text = await textOf(response, most);
      if (text === undefined) throw new AnswerTooLarge(nameOf(call), most);
      return { value: decode(call, text), size: text.length };
    });
  }

  /**
   * Returns the events of a watch, until the server ends it. @param silence - how long the server may send nothing,
   * in milliseconds
   */
  async *events<E>(call: ApiCall, silence: number): AsyncGenerator<E> {
    const response = await this.#send(call, silence, (response) => response);
    try {
      for await (const line of splitLines(response.body)) {
        const event = decode(call, line) as { readonly type: string; readonly object: unknown };
        if (event.type === 'ERROR') throw new ApiError(nameOf(call), readStatus(event.object, 500));
        yield event as E;
      }
    } catch (error) {
      throw error instanceof ApiError ? error : new ConnectionError(nameOf(call), error);
    }
  }

  async #send<R>(
    call: ApiCall,
    silence: number | undefined,
    read: (response: ApiResponse) => Promise<R> | R,
  ): Promise<R> {
    const { clock } = this.#options;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#sendOnce(call, silence, read);
      } catch (error) {
        const wait = error instanceof ApiError ? error.status.retryAfterSeconds : undefined;
        const isLast = call.once === true || retries === mostRetries || call.signal?.aborted === true;
        if (wait === undefined || isLast) throw error;
        // Up to a fifth more, so that not all retry at the same time.
        await clock.sleep(Math.min(wait, longestWait) * 1000 * (1 + clock.random() / 5), call.signal);
      }
    }
  }

  async #sendOnce<R>(
    call: ApiCall,
    silence: number | undefined,
    read: (response: ApiResponse) => Promise<R> | R,
  ): Promise<R> {
    const { verb, resource, subresource, method, path, query, body, signal } = call;
    const { clock, onRequest, patience = 30_000, urgent } = this.#options;
    const started = clock.elapsed();
    let code = 0;
    let clockSkew: number | undefined;
    try {
      const response = await this.#transport.send({
        method,
        target: path + queryText(query),
        signals: signal === undefined ? [] : [signal],
        patience,
        ...(silence !== undefined && { silence }),
        ...(urgent !== undefined && { urgent }),
        ...(body && { body }),
      });
      code = response.status;
      if (response.serverTime !== undefined) clockSkew = clock.now() - response.serverTime;
      if (code >= 200 && code < 300) return await read(response);
      const status = refusal(response, (await textOf(response, largestRefusal)) ?? '');
      throw new ApiError(nameOf(call), withoutSecrets(status, resource, body?.content));
    } catch (error) {
      if (error instanceof ApiError || error instanceof AnswerTooLarge) throw error;
      throw new ConnectionError(nameOf(call), error);
    } finally {
      const name = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
      onRequest?.({ verb, resource: name, code, seconds: (clock.elapsed() - started) / 1000, clockSkew });
    }
  }
}

/** Returns the name of a request in errors. */
function nameOf({ verb, method, path }: ApiCall): string {
  return `${verb === 'watch' ? 'WATCH' : method} ${path}`;
}

/** The parser's message for invalid JSON quotes the text, which may be that of a Secret. */
function decode({ resource }: ApiCall, text: string): unknown {
  try {
    return resource.decode === undefined ? JSON.parse(text) : resource.decode(text);
  } catch {
    throw new Error('the answer is not JSON');
  }
}

/** Returns the text of an answer; undefined if it has more characters than `most`. The rest is not read then. */
async function textOf({ body }: ApiResponse, most: number): Promise<string | undefined> {
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > most) return undefined;
  }
  return text;
}

function queryText(query: ApiCall['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
