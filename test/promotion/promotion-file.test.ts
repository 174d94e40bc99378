import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { asJsonSchema } from '../../src/compiler/parameters/parameters-schema.ts';
import { readPromotion, withPause, withStatus } from '../../src/promotion/decide/promotion-file.ts';
import { promotionSchema, promotionSchemaPath } from '../../src/promotion/decide/promotion-schema.ts';
import type { PromotionStatus } from '../../src/promotion/decide/promotion.ts';
import { promotionText } from './app.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const hash = '0'.repeat(64);
const status: PromotionStatus = {
  completed: { source: commit },
  release: {
    hash,
    source: commit,
    base: commit,
    released: 1,
    gates: { 'hello default/all': { minSuccessTime: '10m0s', maxFailures: 1 } },
    waves: [
      [
        {
          addOn: 'hello',
          gate: 'hello default/all',
          clusters: { c1: '1234567890123456', c2: '12345678e0123456' },
        },
      ],
    ],
  },
};

function faultsOf(text: string, app = 'hello'): string[] {
  const { value, diagnostics } = readPromotion('promotions/hello.yaml', text, app);
  expect(value === undefined).toBe(diagnostics.length > 0);
  return diagnostics.map(({ code, message, location, hint = '' }) => {
    const line = location !== undefined && 'line' in location ? location.line : '';
    return `${code} ${line}: ${message} [${hint}]`;
  });
}

describe('a promotion file', () => {
  test('has a JSON Schema for editors, which is up to date', () => {
    const file: unknown = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../..', promotionSchemaPath), 'utf8'),
    );
    expect(file).toEqual(asJsonSchema('Promotion', promotionSchema));
    const validate = new Ajv({ strict: false }).compile(asJsonSchema('Promotion', promotionSchema));
    const object = {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'Promotion',
      metadata: { name: 'hello' },
      status,
    };
    expect(validate(object)).toBe(true);
    expect(validate({ ...object, spec: { prometheus: {} } })).toBe(false);
  });

  test('keeps what people wrote, with comments, when its status changes, and reads the same status again', () => {
    const text = withStatus(promotionText('{ approval: release } # ask the owners'), status);
    expect(text).toMatch(
      /^# Releases of hello\n[^]*\nspec: \{ approval: release \} # ask the owners\nstatus:\n/,
    );
    expect(readPromotion('', text, 'hello').value).toEqual({
      app: 'hello',
      spec: { approval: 'release' },
      status,
    });
    expect(withStatus(withStatus(text, {}), status)).toBe(text);
  });

  test.each([
    [
      'in flow style',
      '{ apiVersion: fleetwright.dev/v1alpha1, kind: Promotion, metadata: { name: hello }, spec: { approval: release } }\n',
    ],
    [
      'with the status before the spec',
      'apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: hello }\nstatus: {}\nspec:\n  approval: release # ask\n',
    ],
    [
      'with keys in quotes',
      `"apiVersion": fleetwright.dev/v1alpha1\n"kind": Promotion\n"metadata": { name: hello }\n"spec": { approval: release }\n"status": {}\n`,
    ],
    ['with a spec in flow style', promotionText('{ approval: release }')],
  ])('gets a status and can be paused %s', (_form, text) => {
    const spec = { approval: 'release' };
    const advanced = withStatus(text, status);
    expect(readPromotion('', advanced, 'hello').value).toEqual({ app: 'hello', spec, status });
    const paused = withPause(advanced, true);
    expect(readPromotion('', paused, 'hello').value?.spec).toEqual({ ...spec, paused: true });
    const resumed = withPause(paused, false);
    expect(readPromotion('', resumed, 'hello').value).toEqual({
      app: 'hello',
      spec: { ...spec, paused: false },
      status,
    });
    expect(withPause(advanced, false)).toBe(advanced);
    expect(resumed.match(/# (?:Releases of hello|ask)/g)).toEqual(text.match(/# (?:Releases of hello|ask)/g));
  });

  test('can be paused and resumed, whether or not it has a spec', () => {
    const forms = [
      promotionText(),
      promotionText().replace('spec: {}\n', ''),
      promotionText('\n  # careful\n  approval: waves'),
    ];
    for (const text of forms) {
      const paused = withPause(withStatus(text, status), true);
      expect(readPromotion('', paused, 'hello').value).toMatchObject({ spec: { paused: true }, status });
      const resumed = withPause(paused, false);
      expect(readPromotion('', resumed, 'hello').value).toMatchObject({ spec: { paused: false }, status });
    }
  });

  test.each([
    [
      '{ prometheus: {} }',
      'FW8040 5: unknown field "prometheus" [the fields are "paused", "whenBusy", "approval", "approved", "approvers" and 3 more]',
    ],
    [
      '{ window: { timeZone: Europe/Berln } }',
      'FW8040 5: "Europe/Berln" is not a time zone [use a name such as Europe/Berlin]',
    ],
    [
      '{ window: { open: [{ from: "16:00", to: "09:00" }] } }',
      'FW8040 5: the hours end at 09:00, before they begin at 16:00 [hours past midnight are two entries: until 24:00, and from 00:00 on the next day]',
    ],
    [
      '{ approvers: { emails: [a@example.com] } }',
      'FW8040 5: approvers have no effect, because nothing needs an approval [set spec.approval to release or waves]',
    ],
    ['{ gates: [{ name: a }] }', 'FW8040 5: gate "a" must have either "prometheus" or "job" []'],
    [
      '{ gates: [{ name: a, job: { namespace: ci, name: "smoke-{wave}" } }] }',
      `FW8040 5: the name "smoke-{wave}" is the same for all releases [add {release}: 'smoke-{release}-{wave}']`,
    ],
    [
      '{ gates: [{ name: a, job: { namespace: ci, name: "-{release}" } }] }',
      'FW8040 5: "-{release}" is not the name of a Job, such as "-000000000000" [use at most 63 lowercase letters, digits and hyphens, besides {release} and {wave}]',
    ],
    [
      '{ gates: [{ name: a, prometheus: { url: "http://prometheus.example.com", query: up, condition: "== 1", credentials: FLEETWRIGHT_A } }] }',
      'FW8040 5: credentials would be sent without encryption [use https]',
    ],
    [
      '{ gates: [{ name: a, prometheus: { url: "https://prometheus.example.com", query: up, condition: "is 1" } }] }',
      `FW8040 5: "is 1" is not a condition [use <, <=, >, >=, == or != and a number: '< 0.01']`,
    ],
    ['{ window: { closed: ["2026-02-30"] } }', 'FW8040 5: 2026-02-30 is not a day of the calendar []'],
    ['{ window: { closed: ["2026-03-02/2026-03-01"] } }', 'FW8040 5: 2026-03-01 is before 2026-03-02 []'],
  ])('with the spec %s is invalid', (spec, fault) => {
    expect(faultsOf(promotionText(spec))).toEqual([fault]);
  });

  test.each(['https://user:password@example.com', 'file:///etc/passwd', 'https://example.com/?query=x'])(
    'with the endpoint %s is invalid',
    (url) => {
      const spec = `{ gates: [{ name: a, prometheus: { url: "${url}", query: up, condition: "== 1" } }] }`;
      expect(faultsOf(promotionText(spec)).join()).toMatch(/^FW8040 5: /);
    },
  );

  test('names environment variables that are meant for it, and no other secret of the runner', () => {
    const spec = `{ gates: [{ name: a, prometheus: { url: "https://example.com", query: up, condition: "== 1", credentials: AWS_SECRET_ACCESS_KEY } }] }`;
    expect(faultsOf(promotionText(spec)).join()).toMatch(/^FW8040 5: /);
  });

  test('with a damaged status is invalid', () => {
    const { release } = status;
    if (release === undefined) throw new Error('a release');
    const damaged = { ...release, released: 2, gates: { other: { minSuccessTime: '1h' } } };
    expect(faultsOf(withStatus(promotionText(), { release: damaged }))).toEqual([
      'FW8040 13: 2 waves are released, but there are 1 [promote writes the status: restore it from Git]',
      'FW8040 20: the release has no gate "hello default/all" [promote writes the status: restore it from Git]',
    ]);
  });

  test('of another app, of another kind, or with several objects is invalid', () => {
    expect(faultsOf(promotionText(), 'other')).toEqual([
      'FW8040 4: metadata.name is "hello", but the file is that of app "other" [the file name and metadata.name are the name of the app]',
    ]);
    expect(faultsOf(`${promotionText()}---\n${promotionText()}`)).toEqual([
      'FW8040 1: the file must contain one Promotion of fleetwright.dev/v1alpha1 []',
    ]);
    expect(faultsOf('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hello }\n').join('\n')).toContain(
      'FW8040',
    );
  });
});
