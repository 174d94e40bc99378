import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { conditionOfText, prometheusReport } from '../../src/promotion/decide/prometheus-gate.ts';
import type { PrometheusGate } from '../../src/promotion/decide/promotion.ts';
import { queryPrometheus } from '../../src/promotion/gates/prometheus-query.ts';

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

let server: http.Server;
let url: string;
let requests: http.IncomingMessage[];
let answer: Answer;

beforeEach(async () => {
  requests = [];
  server = http.createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const json =
  (body: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const success = (data: object): object => ({ status: 'success', data });
const vector = (...values: readonly string[]): object =>
  success({
    resultType: 'vector',
    result: values.map((value) => ({ metric: {}, value: [1780300800.781, value] })),
  });

/** Returns the line of a gate with the condition `< 0.01`, and whether it is open. */
async function lineOf(
  next: Answer,
  gate: Partial<PrometheusGate> = {},
  env: Readonly<Record<string, string>> = {},
  wait?: number,
): Promise<string> {
  answer = next;
  const whole = { url, query: 'sum(errors) / sum(requests)', condition: '< 0.01', ...gate };
  const { isOpen, text } = prometheusReport('errors', whole, await queryPrometheus(whole, { env }, wait));
  return `${isOpen ? 'open' : 'closed'}: ${text}`;
}

describe('a gate with a Prometheus query', () => {
  test('compares the only value with its condition', async () => {
    expect(await lineOf(json(vector('0.002')))).toBe('open: errors is 0.002 (< 0.01)');
    expect(requests[0]?.url).toBe('/api/v1/query?query=sum%28errors%29+%2F+sum%28requests%29');
    expect(await lineOf(json(vector('2e-3')))).toBe('open: errors is 2e-3 (< 0.01)');
    expect(await lineOf(json(vector('0.01')))).toBe('closed: errors is 0.01, and must be < 0.01');
    expect(await lineOf(json(vector('+Inf')))).toBe('closed: errors is +Inf, and must be < 0.01');
    expect(await lineOf(json(success({ resultType: 'scalar', result: [1, '0'] })))).toBe(
      'open: errors is 0 (< 0.01)',
    );
    expect(await lineOf(json(vector('0')), { url: `${url}/prefix/` })).toMatch(/^open/);
    expect(requests.at(-1)?.url).toMatch(/^\/prefix\/api\/v1\/query\?/);
  });

  test.each([
    ['no series', json(vector()), 'the query returns no series'],
    ['several series', json(vector('0', '0')), 'the query returns 2 series, and must return one'],
    ['NaN', json(vector('NaN')), 'the query returns NaN'],
    ['a text', json(vector('0 or so')), 'the query does not return a number'],
    ['a hexadecimal number', json(vector('0x0')), 'the query does not return a number'],
    ['an empty text', json(vector('')), 'the query does not return a number'],
    [
      'a number of JSON',
      json(success({ resultType: 'scalar', result: [1, 0] })),
      'the query does not return a number',
    ],
    [
      'a matrix',
      json(success({ resultType: 'matrix', result: [] })),
      'the query must return a vector or a scalar',
    ],
    [
      'a partial answer',
      json({ ...vector('0'), warnings: ['store 10.0.0.1 is down'] }),
      'the answer may be partial: store 10.0.0.1 is down',
    ],
    [
      'an answer that a cluster of VictoriaMetrics calls partial',
      json({ ...vector('0'), isPartial: true }),
      'the answer may be partial: isPartial is true',
    ],
    [
      'an answer that is not complete',
      json({ ...vector('0'), isComplete: false }),
      'the answer may be partial: isComplete is false',
    ],
    [
      'a success with an error',
      json({ ...vector('0'), errorType: 'timeout' }),
      'the answer may be partial: errorType is "timeout"',
    ],
    ['a part of the content', json(vector('0'), 206), 'the server answers 206'],
    [
      'an error',
      json({ status: 'error', error: 'parse error: unexpected end of input' }, 400),
      'the query fails: parse error: unexpected end of input',
    ],
    [
      'a long error',
      json({ status: 'error', error: 'x'.repeat(500) }, 422),
      `the query fails: ${'x'.repeat(120)}…`,
    ],
    ['a page', json('<html>Sign in</html>'), 'the answer is not JSON'],
    ['deep JSON', json('['.repeat(500_000)), 'the answer is nested too deep'],
    [
      'a deep field',
      json(`{"status":"success","partial":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`),
      'the answer is nested too deep',
    ],
    [
      'a warning that is no text',
      json({ ...vector('0'), warnings: [{ toString: null }] }),
      'the answer may be partial: {"toString":null}',
    ],
    [
      'a part that is marked inside the data',
      json(
        success({
          resultType: 'vector',
          result: [{ metric: { error: 'x' }, value: [1, '0'], partial: true }],
        }),
      ),
      'the answer may be partial: partial is true',
    ],
    [
      'statistics of a query that timed out',
      json(success({ resultType: 'scalar', result: [1, '0'], stats: { timedOut: 1 } })),
      'the answer may be partial: timedOut is 1',
    ],
    ['a value in a refusal', json(vector('0'), 422), 'the server refuses the query'],
    [
      'a sample without a time',
      json(success({ resultType: 'scalar', result: ['x', '0'] })),
      'the query does not return a number',
    ],
    [
      'another type of content',
      (_: unknown, response: http.ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end(JSON.stringify(vector('0')));
      },
      'the answer is not JSON, but text/html',
    ],
    ['another API', json({ items: [] }), 'the answer is not that of Prometheus'],
    ['null', json('null'), 'the answer is not that of Prometheus'],
    ['nothing', json(''), 'the answer is not JSON'],
    ['503', json(vector('0'), 503), 'the server answers 503'],
    ['401', json('', 401), 'the server answers 401'],
  ])('is closed with %s', async (_, next, problem) => {
    expect(await lineOf(next)).toBe(`closed: errors has no value: ${problem}`);
  });

  test('is open if a server says that its answer is complete', async () => {
    const complete = { ...vector('0'), isPartial: false, warnings: [], errorType: '', infos: ['a hint'] };
    expect(await lineOf(json(complete))).toBe('open: errors is 0 (< 0.01)');
  });

  test('reads at most 1 MB of an answer that does not end', async () => {
    let written = 0;
    const endless: Answer = (_, response) => {
      response.writeHead(200);
      const part = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(part)) written += part.length;
        response.once('drain', write);
      };
      write();
    };
    expect(await lineOf(endless)).toBe('closed: errors has no value: the answer is larger than 1 MB');
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('waits a bounded time for an answer, and for its end', async () => {
    const silent: Answer = () => undefined;
    expect(await lineOf(silent, {}, {}, 200)).toBe('closed: errors has no value: no answer within 0.2 s');
    const trickling: Answer = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
    expect(await lineOf(trickling, {}, {}, 200)).toBe('closed: errors has no value: no answer within 0.2 s');
  });

  test('does not follow a redirect, so that no other server decides', async () => {
    const redirect: Answer = (request, response) => {
      if (request.url?.startsWith('/elsewhere') === true) {
        json(vector('0'))(request, response);
        return;
      }
      response.writeHead(302, { Location: `${url}/elsewhere` });
      response.end();
    };
    expect(await lineOf(redirect)).toBe(
      'closed: errors has no value: the server redirects (302): name the endpoint itself',
    );
    expect(requests).toHaveLength(1);
  });

  test('is closed if nothing listens', async () => {
    const { port } = server.address() as AddressInfo;
    const other = http.createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: unused } = other.address() as AddressInfo;
    other.close();
    await once(other, 'close');
    expect(unused).not.toBe(port);
    expect(await lineOf(json(''), { url: `http://127.0.0.1:${unused}` })).toBe(
      'closed: errors has no value: no answer: ECONNREFUSED',
    );
  });

  test('sends credentials of the environment or of a file, and is closed without them', async () => {
    const gate = { credentials: 'FLEETWRIGHT_PROMETHEUS' };
    const next = json(vector('0'));
    const sent = (): string | undefined => requests.at(-1)?.headers.authorization;
    await lineOf(next);
    expect(sent()).toBe(undefined);
    expect(await lineOf(next, gate, { FLEETWRIGHT_PROMETHEUS: 'secret' })).toMatch(/^open/);
    expect(sent()).toBe('Bearer secret');
    await lineOf(next, gate, { FLEETWRIGHT_PROMETHEUS: 'Basic dXNlcjpwYXNz' });
    expect(sent()).toBe('Basic dXNlcjpwYXNz');
    const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-credentials-'));
    const file = path.join(folder, 'token');
    writeFileSync(file, 'of the file\n');
    await lineOf(next, gate, { FLEETWRIGHT_PROMETHEUS_FILE: file });
    rmSync(folder, { recursive: true });
    expect(sent()).toBe('Bearer of the file');
    const count = requests.length;
    expect(await lineOf(next, gate)).toBe(
      'closed: errors has no value: set FLEETWRIGHT_PROMETHEUS or FLEETWRIGHT_PROMETHEUS_FILE in the environment',
    );
    expect(await lineOf(next, gate, { FLEETWRIGHT_PROMETHEUS_FILE: file })).toBe(
      'closed: errors has no value: the file in FLEETWRIGHT_PROMETHEUS_FILE cannot be read',
    );
    expect(await lineOf(next, gate, { FLEETWRIGHT_PROMETHEUS: 'a\r\nX-Other: b' })).toBe(
      'closed: errors has no value: FLEETWRIGHT_PROMETHEUS has characters that no header can have',
    );
    expect(requests).toHaveLength(count);
  });
});

test('a condition is an operator and a decimal number', () => {
  const meets = (condition: string, value: number): boolean | undefined =>
    conditionOfText(condition)?.(value);
  expect([meets('< 1', 0.9), meets('<1', 1), meets('<= 1', 1), meets('> -1', 0)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([meets('>= 1e3', 999), meets('== .5', 0.5), meets('!= 0', 0)]).toEqual([false, true, false]);
  for (const text of ['', '1', '=> 1', '< x', '< 0x1', '< 1; true', '< NaN', '< Infinity', '< 1 %'])
    expect(conditionOfText(text)).toBe(undefined);
});
