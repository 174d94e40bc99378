import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { admitObject } from '../../../src/compiler/admit/admit.ts';
import { parseGoJson } from '../../../src/base/json/parse-json.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { loaded } from './loaded.ts';

/**
 * Objects put through the packages of apiextensions-apiserver 0.35.4 that decode, prune, default and validate custom
 * resources, with the CRDs of OCM 1.3.1. Made at random from the schemas, and chosen for what each shows that no other
 * does. Without integers beyond 32 bits, which that version lets pass.
 */
interface Vector {
  readonly object: KubernetesObject;
  readonly allowed: boolean;
  readonly blamed?: readonly string[];
  /** What is wrong with the status, which a creation drops. */
  readonly statusBlamed?: readonly string[];
  /** The object with its defaults, and with the status that a creation would drop. */
  readonly stored?: object;
}

const vectors = readFileSync(new URL('../../conformance/admission.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((text) => {
    const parsed = parseGoJson(text);
    if ('error' in parsed) throw new Error(parsed.error);
    return parsed.value as unknown as Vector;
  });

const allowed = vectors.filter((vector) => vector.allowed);
const refused = vectors.filter((vector) => !vector.allowed);

describe('follows the API server’s own code', () => {
  test('is checked with enough objects', () => {
    expect(allowed.length).toBeGreaterThan(400);
    expect(refused.length).toBeGreaterThan(600);
  });

  test('objects that it allows are valid and come out with the same defaults', () => {
    const good = allowed.filter(({ statusBlamed }) => statusBlamed === undefined);
    for (const { object, stored } of good) {
      const { valid, object: admitted, diagnostics } = admitObject(loaded(object));
      const found = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      // names left to the hub, and values that only OCM refuses, are errors of ours
      expect({ valid, found: found.filter((code) => !ours.has(code)) }).toEqual({ valid: true, found: [] });
      expect(admitted?.object ?? stored).toEqual(stored);
    }
  });

  test('objects whose status it would refuse are valid, but not admitted', () => {
    const withBadStatus = allowed.filter(({ statusBlamed }) => statusBlamed !== undefined);
    expect(withBadStatus.length).toBeGreaterThan(20);
    for (const { object, statusBlamed = [] } of withBadStatus) {
      const { valid, object: admitted, diagnostics } = admitObject(loaded(object, 'fleet'));
      const blamed = diagnostics.filter(({ code }) => code === 'FW2026').map(({ path }) => path);
      expect({ valid, admitted, blamed: new Set(blamed) }).toEqual({
        valid: true,
        blamed: new Set(statusBlamed),
      });
    }
  });

  test('objects that it refuses are refused for one of the same fields', () => {
    for (const { object, blamed = [] } of refused) {
      const { valid, object: admitted, diagnostics } = admitObject(loaded(object));
      expect({ valid, admitted }).toEqual({ valid: false });
      expect(blamed).toContain(diagnostics[0]?.path);
    }
  });
});

const ours: ReadonlySet<string> = new Set(['FW2024', 'FW2028']);
