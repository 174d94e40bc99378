import { readFile } from 'node:fs/promises';
import type { QueryAnswer } from '../decide/prometheus-gate.ts';
import type { PrometheusGate } from '../decide/promotion.ts';
import { isNestedBeyond } from '../../client/nesting.ts';
import type { Host } from '../../workspace/host.ts';

const largestAnswer = 1024 * 1024;
const longestWait = 10_000;
/** An answer with one number has a few levels. */
const deepestAnswer = 50;

/**
 * Sends the query of a gate to its endpoint. The answer is bounded in size and time, and redirects are not followed: they would
 * send the query, and what it answers decides about, to another server.
 *
 * @param wait - in milliseconds
 */
export async function queryPrometheus(
  { url, query, credentials }: PrometheusGate,
  { env }: Pick<Host, 'env'>,
  wait = longestWait,
): Promise<QueryAnswer> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (credentials !== undefined) {
    const authorization = await credentialsOf(credentials, env ?? {});
    if ('problem' in authorization) return authorization;
    headers['Authorization'] = authorization.header;
  }
  const target = `${url.replace(/\/+$/, '')}/api/v1/query?${new URLSearchParams({ query }).toString()}`;
  const signal = AbortSignal.timeout(wait);
  try {
    const response = await fetch(target, { headers, redirect: 'manual', signal });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return { problem: `the server redirects (${response.status}): name the endpoint itself` };
    }
    const body = await boundedText(response);
    if (body === undefined) return { problem: `the answer is larger than ${largestAnswer / 1024 / 1024} MB` };
    // What is printed of an answer is written as JSON again, which recurses.
    if (isNestedBeyond(body, deepestAnswer)) return { problem: 'the answer is nested too deep' };
    // Prometheus explains an invalid query in the body of a 400 or 422.
    const warning = response.headers.get('warning');
    if (warning !== null) return { problem: `the answer has a warning: ${warning.slice(0, 120)}` };
    if ([400, 422].includes(response.status)) return { refusal: body };
    if (response.status !== 200) return { problem: `the server answers ${response.status}` };
    const type = response.headers.get('content-type') ?? 'no type';
    if (!/^application\/json *(?:;|$)/i.test(type))
      return { problem: `the answer is not JSON, but ${type.slice(0, 60)}` };
    return { body };
  } catch (error) {
    if (signal.aborted) return { problem: `no answer within ${wait / 1000} s` };
    return { problem: `no answer: ${causeOf(error)}` };
  }
}

/**
 * Returns the Authorization header from the environment variable NAME, or from the file that NAME_FILE names. Git has only the
 * name, and never a path, so that a promotion file cannot send other secrets of the runner to a server.
 */
async function credentialsOf(
  name: string,
  env: NonNullable<Host['env']>,
): Promise<{ readonly header: string } | { readonly problem: string }> {
  const file = env[`${name}_FILE`];
  const text = env[name] ?? (file === undefined ? undefined : await readFile(file, 'utf8').catch(() => ''));
  const value = text?.trim() ?? '';
  if (value === '')
    return {
      problem:
        file === undefined
          ? `set ${name} or ${name}_FILE in the environment`
          : `the file in ${name}_FILE cannot be read`,
    };
  if (!/^[\x20-\x7e]+$/.test(value)) return { problem: `${name} has characters that no header can have` };
  return { header: /^(?:Basic|Bearer) /.test(value) ? value : `Bearer ${value}` };
}

/** Returns undefined if a body is too large. */
async function boundedText({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size > largestAnswer) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'the connection fails';
}
