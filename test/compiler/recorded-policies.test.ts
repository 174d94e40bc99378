import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PolicyCopies } from '../hub/policies/policy-case.ts';
import { predictedCopies } from '../hub/policies/predicted-copies.ts';
import { randomPolicies } from '../hub/policies/random-policies.ts';

// What governance-policy-propagator copied to clusters, recorded with test/hub/policies/compare-policies.ts.

const recorded = JSON.parse(
  readFileSync(new URL('../conformance/policies.json', import.meta.url), 'utf8'),
) as readonly { readonly seed: number; readonly copies: PolicyCopies }[];

test.each(recorded)('the propagator of seed $seed copies the predicted policies', ({ seed, copies }) => {
  expect(predictedCopies(randomPolicies(seed))).toEqual(copies);
});

test('most recorded cases have copies', () => {
  expect(recorded.filter(({ copies }) => Object.keys(copies).length > 0).length).toBeGreaterThan(20);
});
