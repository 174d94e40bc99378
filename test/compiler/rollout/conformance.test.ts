import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { predictText } from './predict-text.ts';
import { rounds } from '../../../src/compiler/report/json/rollout-json.ts';

// Waves that a real OCM 1.3.1 hub went through: the installation, then an update in which every configuration was replaced
// by one of another name. A stand-in for the agents reported success for all works after each wave.
const folder = path.resolve(import.meta.dirname, '../../conformance/rollout');
const cases = readdirSync(folder);

describe('the waves of a real hub', () => {
  test('have their cases', () => {
    expect(cases.length).toBe(23);
  });

  test.each(cases)('%s', (name) => {
    const read = (file: string): string => readFileSync(path.join(folder, name, file), 'utf8');
    const { install, update } = predictText(read('input.yaml'), { update: read('update.yaml') });
    expect({ install: rounds(install), update: rounds(update ?? new Map()) }).toEqual(
      JSON.parse(read('waves.json')),
    );
  });
});
