import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goJson, type GoJsonValue } from '../../../src/base/json/go-json.ts';
import { parseGoJson } from '../../../src/base/json/parse-json.ts';
import { convertTyped } from '../../../src/base/typed/typed-conversion.ts';

const vectors = readFileSync(new URL('../../conformance/typed-conversion.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(read);

/** One conversion by k8s.io/apimachinery v0.35.4; `out` is absent where it failed. */
interface Vector {
  readonly kind: string;
  readonly in: GoJsonValue;
  readonly out?: GoJsonValue;
}

/** Numbers are read as Go wrote them. */
function read(line: string): Vector {
  const parsed = parseGoJson(line);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.value as unknown as Vector;
}

describe('conversion through the apps/v1 structs', () => {
  it(`agrees with Go on ${vectors.length} random Deployments and DaemonSets`, () => {
    for (const { kind, in: given, out } of vectors) {
      const converted = convertTyped(kind, given);
      expect(converted === undefined ? undefined : goJson(converted)).toBe(
        out === undefined ? undefined : goJson(out),
      );
    }
  });

  it('fills in the fields that Go always writes', () => {
    expect(
      convertTyped('Deployment', {
        kind: 'Deployment',
        spec: { template: { spec: { containers: [{ name: 'a' }] } } },
      }),
    ).toEqual({
      kind: 'Deployment',
      metadata: {},
      spec: {
        selector: null,
        strategy: {},
        template: { metadata: {}, spec: { containers: [{ name: 'a', resources: {} }] } },
      },
      status: {},
    });
    expect(convertTyped('DaemonSet', {})).toEqual({
      metadata: {},
      spec: { selector: null, template: { metadata: {}, spec: { containers: null } }, updateStrategy: {} },
      status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    });
  });

  it('takes no string for a number, and so does not convert at all', () => {
    expect(convertTyped('Deployment', { spec: { replicas: '3' } })).toBeUndefined();
    expect(convertTyped('Deployment', { spec: { replicas: 3.0 } })).toMatchObject({ spec: { replicas: 3 } });
  });

  it('cuts off integers that are too large, as Go does', () => {
    expect(convertTyped('Deployment', { spec: { replicas: 4294967297 } })).toMatchObject({
      spec: { replicas: 1 },
    });
    expect(convertTyped('Deployment', { metadata: { generation: 9007199254740993n } })).toMatchObject({
      metadata: { generation: 9007199254740993n },
    });
  });
});
