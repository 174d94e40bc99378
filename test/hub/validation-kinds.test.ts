import { expect, test } from 'vitest';
import { isClusterScoped } from '../../schemas/cluster-scoped.ts';
import { groupOf } from '../../src/base/names/resource-name.ts';
import { validationFaults } from '../../src/base/validation/validation-faults.ts';
import { validationCases } from '../base/validation/cases/validation-cases.ts';
import type { ValidationCase } from '../base/validation/cases/table.ts';
import { plainHub } from './client/plain-hub.ts';
import { withoutRandomLabels } from './work-agent/expected-words.ts';

// Kubernetes' own validation of built-in kinds, beside ours: every rule, in both directions.

const hub = plainHub();

/** The faults that an API server finds, in order. Empty if it accepts the object. */
interface Answer {
  readonly isAccepted: boolean;
  readonly faults: readonly string[];
  readonly message: string;
}

async function answerOf({ object }: ValidationCase): Promise<Answer> {
  const { apiVersion, kind } = object as { readonly apiVersion: string; readonly kind: string };
  const place = {
    apiVersion,
    kind,
    ...(isClusterScoped(groupOf(apiVersion), kind) ? {} : { namespace: 'default' }),
  };
  const refusal = await hub().client.refusal(place, JSON.stringify(object));
  if (refusal === undefined) return { isAccepted: true, faults: [], message: '' };
  const { reason, causes, message } = refusal;
  // a denial by authorization or admission says nothing about the fields
  expect({ reason, message }).toEqual({ reason: 'Invalid', message });
  const faults = causes.map(({ field = '', message: text = '' }) => `${field}: ${withoutRandomLabels(text)}`);
  return { isAccepted: false, faults: distinct(faults), message };
}

function distinct(fields: readonly string[]): readonly string[] {
  return [...new Set(fields)].sort();
}

test.each(validationCases)('$name', async (each) => {
  const predicted = distinct(
    validationFaults(each.object).map(({ field, message }) => `${field}: ${message}`),
  );
  const { isAccepted, faults, message } = await answerOf(each);
  expect({ isAccepted, faults, message }).toEqual({
    isAccepted: each.refused.length === 0,
    faults: predicted,
    message,
  });
});

test('values that cannot be decoded are refused without causes', async () => {
  const objects = [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'case-undecodable', namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1 Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'case-undecodable', namespace: 'default' },
      data: { a: 'not base64' },
    },
  ];
  for (const object of objects) {
    const { apiVersion, kind } = object;
    const refusal = await hub().client.refusal(
      { apiVersion, kind, namespace: 'default' },
      JSON.stringify(object),
    );
    expect(refusal?.code).toBe(400);
    expect(validationFaults(object)).toHaveLength(1);
  }
});
