import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareUtf8, goJson } from '../../../src/base/json/go-json.ts';
import { parseGoJson } from '../../../src/base/json/parse-json.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('Go JSON text', () => {
  it('returns the spec hashes of the hub', () => {
    expect(sha256(goJson({}))).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(sha256(goJson({ spec: { test: 1 } }))).toBe(
      'af144391b79b4b07bd7c579980ae9ed42dc8e34f7babebbf3fd08cacb578fba4',
    );
    expect(
      sha256(
        goJson({
          spec: {
            proxyConfig: {},
            customizedVariables: [{ value: 'test', name: 'test' }],
            agentInstallNamespace: 'open-cluster-management-agent-addon',
          },
        }),
      ),
    ).toBe('ea4e6089e8b2f584c1cd8b86e16a15df3186b30744f433ede7436091c93a4cc7');
    expect(sha256(goJson({ spec: { x: 'a<b>&c', u: 'é\u2028', f: 1.5 } }))).toBe(
      'f2d86bab94fa25f15ab500c1efba5d9ff390ab68f3a2c6f48f4dade7174f128e',
    );
  });

  it('escapes the characters that HTML and JavaScript misread, and nothing else beyond ASCII', () => {
    expect(goJson('<a href="x">&\u2028\u2029é/\u007f😀</a>\u0001\b\f\n\r\t\\')).toBe(
      '"\\u003ca href=\\"x\\"\\u003e\\u0026\\u2028\\u2029é/\u007f😀\\u003c/a\\u003e\\u0001\\b\\f\\n\\r\\t\\\\"',
    );
  });

  it('writes half a surrogate pair as the replacement character, escaped', () => {
    expect(goJson('a\ud800b\udc00😀\\ud800')).toBe('"a\\ufffdb\\ufffd😀\\\\ud800"');
  });

  it('sorts keys by their UTF-8 bytes and leaves out undefined', () => {
    expect(goJson({ '\uffee': 1, '😀': 2, b: undefined, B: 3, '10': 4, '9': 5, '': 6 })).toBe(
      '{"":6,"10":4,"9":5,"B":3,"\uffee":1,"😀":2}',
    );
  });

  it('prints numbers as Go does, and integers beyond a double exactly', () => {
    expect(
      goJson([1, -0, 1.5, 1e20, 1e21, 1e-6, 1e-7, 9007199254740993n, 9223372036854775808n, 0.1 + 0.2]),
    ).toBe(
      '[1,-0,1.5,100000000000000000000,1e+21,0.000001,1e-7,9007199254740993,9223372036854776000,0.30000000000000004]',
    );
  });

  it('rejects values that JSON cannot represent', () => {
    expect(() => goJson(Number.NaN)).toThrow('JSON has no NaN');
    expect(() => goJson([() => 1])).toThrow('JSON has no function');
  });
});

interface Vector {
  readonly text: string;
  readonly go?: string;
  readonly error?: string;
}

describe('reading as the Kubernetes decoder', () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../../conformance/go-json.json', import.meta.url), 'utf8'),
  ) as Vector[];

  it(`agrees with ${vectors.length} texts that sigs.k8s.io/json read and encoding/json printed`, () => {
    const differences = vectors.filter((vector) => {
      const parsed = parseGoJson(vector.text);
      return 'error' in parsed ? parsed.error !== vector.error : goJson(parsed.value) !== vector.go;
    });
    expect(differences).toEqual([]);
  });

  it('reads its own output', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
        fc.array(tie('value')),
        fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(value, (value) => {
        expect(parseGoJson(goJson(value))).toEqual({ value });
      }),
    );
  });

  it('finds special numbers wherever they can occur', () => {
    const large = 2n ** 63n - 1n;
    const around = (text: string): string[] => [
      text,
      ` ${text} `,
      `[${text}]`,
      `[1,${text}]`,
      `{"a":${text}}`,
      `{"a": ${text}}`,
    ];
    const valueOf = (text: string): unknown => {
      const parsed = parseGoJson(text);
      if ('error' in parsed) return parsed.error;
      const { value } = parsed;
      return typeof value === 'object' ? Object.values(value ?? {}).at(-1) : value;
    };
    for (const text of around(String(large))) expect(valueOf(text)).toBe(large);
    for (const text of around(`-${large}`)) expect(valueOf(text)).toBe(-large);
    for (const text of around('-0')) expect(Object.is(valueOf(text), 0)).toBe(true);
    for (const text of around('-1.5e400')) {
      expect(valueOf(text)).toBe('json: cannot unmarshal number -1.5e400 into Go value of type float64');
    }
  });

  it('orders strings as their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});
