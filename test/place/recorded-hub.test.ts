import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decide } from './hub-fixture.ts';
import { project } from './projection.ts';

const root = path.resolve(import.meta.dirname, '../conformance/placement');

/** After the last score of the recorded cases expired, as when they were recorded. */
const recorded = Date.parse('2026-11-01T00:00:00Z');

test.each(readdirSync(root))('decides recorded case %s as a real hub', (name) => {
  const input = readFileSync(path.join(root, name, 'input.yaml'), 'utf8');
  const answer: unknown = JSON.parse(readFileSync(path.join(root, name, 'hub.json'), 'utf8'));

  const { decisions } = decide([input], recorded);

  expect(project(decisions.decisions.values())).toEqual(answer);
});
