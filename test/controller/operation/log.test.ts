import { expect, test } from 'vitest';
import { createLog } from '../../../src/controller/operation/log.ts';

function keep(level: 'debug' | 'info' = 'info') {
  const lines: unknown[] = [];
  const log = createLog({
    level,
    fields: { controller: 'hub' },
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
    now: () => Date.UTC(2026, 0, 31, 12),
  });
  return { log, lines };
}

test('a line is a JSON object with a time, a level and a sentence', () => {
  const { log, lines } = keep();
  log.child({ object: 'cluster1/hello' }).info({ reason: 'NotFound' }, 'cannot be reconciled');
  log.debug({}, 'not shown');
  expect(lines).toEqual([
    {
      level: 'info',
      time: '2026-01-31T12:00:00.000Z',
      controller: 'hub',
      object: 'cluster1/hello',
      reason: 'NotFound',
      message: 'cannot be reconciled',
    },
  ]);
});

test('secrets never appear in the log', () => {
  const { log, lines } = keep();
  log.info(
    {
      token: 'secret-1',
      secret: { data: { 'tls.key': 'secret-2' }, stringData: { a: 'secret-3' } },
      request: { headers: { authorization: 'Bearer secret-4' } },
      ca: { privateKey: 'secret-5' },
    },
    'x',
  );
  expect(JSON.stringify(lines)).not.toContain('secret-');
});
