import type { Clock } from './clock.ts';
import { answeredObject } from './answered-object.ts';
import { AnswerError, ApiError, ConnectionError } from './api-error.ts';
import { isJsonMap, type JsonMap } from '../base/json/json-map.ts';
import { readStatus, refusal, withoutSecrets } from './api-status.ts';
import { keyOf, type ApiObject, type Stored, type StoredMeta } from './object.ts';
import { isPathSegment, objectPath, type Resource, type Subresource } from './resource.ts';
import { isNamed } from './list-page.ts';
import { isNestedBeyond } from './nesting.ts';
import { retryPolicy, retryWait } from './retry.ts';
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
  /** The longest wait before a retry, in seconds. @default - that of `retryPolicy` */
  readonly longestWait?: number;
  /** Parses answers of kinds without a separate `decode`. @default JSON.parse */
  readonly decode?: (text: string) => unknown;
  /** The deepest nesting of an answer. @default - any that JSON.parse reads */
  readonly deepest?: number;
  /** Whether objects are compared with the types of their kind, so that all that reads them can rely on these. @default false */
  readonly isChecked?: boolean;
  /** Whether requests get connections immediately, regardless of the number of requests in flight. @default false */
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

/** An answer, with the number of its characters. */
export interface SizedJson {
  readonly value: JsonMap;
  readonly size: number;
}

/** Maximum number of characters of an error response that are read: a longer text is useless in a message. */
const largestRefusal = 1024 * 1024;
/** Maximum number of characters of an answer: a page of 500 clusters has some 10 MB. */
export const largestAnswer = 256 * 1024 * 1024;
/** How long a whole answer may take, in seconds: a server could send a byte from time to time. */
export const longestAnswer = 300;

/** After this number of seconds, an answer must have come at least at the rate of `slowestAnswer`. */
const graceOfAnswer = 30;
/** Characters per second. */
const slowestAnswer = 100;

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
    const object = await this.json({ ...call, resource });
    // Proxies answer with a success, too.
    if (resource.isReview !== true && !isAnswerTo(call, object))
      throw new AnswerError(
        nameOf(call),
        'not-an-object',
        'the answer is not an object with a name and a version',
      );
    return this.checked(call, object as unknown as Stored<T>);
  }

  /** Returns an object of an answer. @throws AnswerError if a field has another type than its kind has there */
  checked<T extends ApiObject>(call: ApiCall, object: Stored<T>): Stored<T> {
    if (this.#options.isChecked !== true) return object;
    const result = answeredObject(object, call.resource);
    if ('object' in result) return result.object;
    const { path, expected } = result.fault;
    const of = `${call.resource.kind} ${keyOf(object)}`;
    throw new AnswerError(nameOf(call), 'wrong-type', `${path.join('.')} of ${of} must be ${expected}`);
  }

  /** Returns the whole answer. */
  async json(call: ApiCall): Promise<JsonMap> {
    return (await this.sizedJson(call, largestAnswer)).value;
  }

  /**
   * Returns the whole answer, with the number of its characters.
   *
   * @param most - maximum number of characters to read
   * @throws AnswerError if there are more, or if the answer takes too long
   */
  async sizedJson(call: ApiCall, most: number): Promise<SizedJson> {
    return await this.#send(call, undefined, async (response) => {
      const bound = Math.min(most, largestAnswer);
      const { text, fault } = await read(response, bound, this.#options.clock);
      if (fault !== undefined) throw beyondBounds(call, fault, bound);
      const value = this.#decode(call, text);
      if (!isJsonMap(value)) throw notJson(call);
      return { value, size: text.length };
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
        const event = this.#decode(call, line);
        const { type, object } = isJsonMap(event) ? event : {};
        if (type === 'ERROR') throw new ApiError(nameOf(call), readStatus(object, 500));
        if (!isEvent(type, object))
          throw new AnswerError(nameOf(call), 'not-an-event', 'the watch sent a line that is not an event');
        yield (type === 'BOOKMARK' ? event : { type, object: this.checked(call, object) }) as E;
      }
    } catch (error) {
      throw withRequest(error, call);
    }
  }

  /** The parser's message for invalid JSON quotes the text, which may be that of a Secret. */
  #decode(call: ApiCall, text: string): unknown {
    const { deepest = Infinity } = this.#options;
    if (deepest < Infinity && isNestedBeyond(text, deepest))
      throw new AnswerError(nameOf(call), 'too-deep', `the answer is nested more than ${deepest} deep`);
    const { decode = this.#options.decode ?? JSON.parse } = call.resource;
    try {
      return decode(text) as unknown;
    } catch {
      throw notJson(call);
    }
  }

  async #send<R>(
    call: ApiCall,
    silence: number | undefined,
    result: (response: ApiResponse) => Promise<R> | R,
  ): Promise<R> {
    const { clock, longestWait = retryPolicy.longestWait } = this.#options;
    const { mostRetries } = retryPolicy;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#sendOnce(call, silence, result);
      } catch (error) {
        const wait = error instanceof ApiError ? error.status.retryAfterSeconds : undefined;
        const isLast = call.once === true || retries === mostRetries || call.signal?.aborted === true;
        if (wait === undefined || isLast) throw error;
        await clock.sleep(retryWait(wait, { longestWait }, clock), call.signal);
      }
    }
  }

  async #sendOnce<R>(
    call: ApiCall,
    silence: number | undefined,
    result: (response: ApiResponse) => Promise<R> | R,
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
      if (code >= 200 && code < 300) return await result(response);
      const { text, fault } = await read(response, largestRefusal, clock);
      const status = refusal(response, fault === undefined ? text : '');
      throw new ApiError(nameOf(call), withoutSecrets(status, resource, body?.content));
    } catch (error) {
      throw withRequest(error, call);
    } finally {
      const name = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
      onRequest?.({ verb, resource: name, code, seconds: (clock.elapsed() - started) / 1000, clockSkew });
    }
  }
}

/** Whether an answer is the object of the request: it has the path to which it would be written back. */
function isAnswerTo({ verb, resource, path, subresource }: ApiCall, object: JsonMap): boolean {
  if (!isStored(object)) return false;
  // A new object has the name that the API server generated.
  if (verb === 'create') return true;
  const { metadata } = object;
  return isPathSegment(metadata.name) && objectPath(resource, metadata, subresource) === path;
}

const changes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

/** Whether a line of a watch is an event. The object of a bookmark has a version only. */
function isEvent(type: unknown, object: unknown): object is Stored<ApiObject> {
  if (type !== 'BOOKMARK') return changes.has(type) && isStored(object);
  return isJsonMap(object) && hasVersion(object['metadata']);
}

/** Whether a value has what every object has that an API server stores. */
function isStored(value: unknown): value is { readonly metadata: StoredMeta } {
  if (!isJsonMap(value)) return false;
  const { metadata } = value;
  return hasVersion(metadata) && isNamed(metadata);
}

function hasVersion(metadata: unknown): metadata is JsonMap {
  if (!isJsonMap(metadata)) return false;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === 'string' && resourceVersion !== '';
}

/** Returns the name of a request in errors. */
function nameOf({ verb, method, path }: ApiCall): string {
  return `${verb === 'watch' ? 'WATCH' : method} ${path}`;
}

/** Returns the error of a request; one of the network gets the name of the request. */
function withRequest(error: unknown, call: ApiCall): unknown {
  if (error instanceof ApiError || error instanceof AnswerError) return error;
  return new ConnectionError(nameOf(call), error);
}

function beyondBounds(call: ApiCall, fault: 'too-large' | 'too-slow', most: number): AnswerError {
  const sentence =
    fault === 'too-large'
      ? `the answer is larger than ${most} characters`
      : `the answer takes more than ${longestAnswer} s, or comes byte by byte`;
  return new AnswerError(nameOf(call), fault, sentence);
}

function notJson(call: ApiCall): AnswerError {
  return new AnswerError(nameOf(call), 'not-json', 'the answer is not JSON');
}

/** Returns the text of an answer, and the bound that it exceeds, if any. The rest is not read then. */
async function read(
  { body }: ApiResponse,
  most: number,
  clock: Pick<Clock, 'elapsed'>,
): Promise<{ readonly text: string; readonly fault?: 'too-large' | 'too-slow' }> {
  const started = clock.elapsed();
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.length > most) return { text, fault: 'too-large' };
    const seconds = (clock.elapsed() - started) / 1000;
    const isDripping = seconds > graceOfAnswer && text.length < seconds * slowestAnswer;
    if (isDripping || seconds > longestAnswer) return { text, fault: 'too-slow' };
  }
  return { text };
}

function queryText(query: ApiCall['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
