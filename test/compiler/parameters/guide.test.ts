import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../linked-repository.ts';
import { fleetOf } from '../../resolve-text.ts';
import { addOnText, findingLines, resolveParameters, variablesOf } from './parameters-text.ts';

test('the first example of the guide gives each cluster what the guide says', () => {
  const guide = readFileSync(path.join(root, 'docs/parameters.md'), 'utf8');
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
  const fleet = fleetOf({ 'edge-1': { env: 'prod', region: 'eu' }, c1: { env: 'prod' }, c2: { env: 'dev' } });
  const { resolution, diagnostics } = resolveParameters(`${addOnText()}---\n${example}`, fleet);

  expect(findingLines(diagnostics)).toEqual([]);
  if (resolution === undefined) throw new Error(JSON.stringify(diagnostics));
  expect(variablesOf(resolution)).toEqual({
    c1: { LOG_LEVEL: 'info', REPLICAS: '3', REGION: 'unknown' },
    c2: { LOG_LEVEL: 'info', REPLICAS: '1', REGION: 'unknown' },
    'edge-1': { LOG_LEVEL: 'debug', REPLICAS: '3', REGION: 'eu' },
  });
});
