import { describe, expect, it } from 'vitest';
import { chartFindings, manifestsOf, namesOf, object, resolveChart } from './chart-add-on.ts';

const config = object('ConfigMap', 'plain');

/** Returns the chart with a ConfigMap that has the result of an expression. */
function withValue(expression: string): Readonly<Record<string, string>> {
  return { 'templates/a.yaml': `${config}data: { value: {{ ${expression} | toString | quote }} }\n` };
}

describe('a part of a random result', () => {
  it.each([
    'uuidv4 | trunc -12',
    'uuidv4 | substr 9 13',
    'randBytes 8 | trunc 1',
    'randBytes 1 | substr 1 2',
    'encryptAES "key" "text" | trunc 1',
    'bcrypt "password" | substr 7 8',
    'shuffle "abc" | substr 1 2',
    'shuffle "abba"',
    'randAlphaNum 9 | lower | trunc 1',
    'randAlphaNum 9 | regexMatch "^[a-z]"',
    'randNumeric 1 | int | gt 5',
    'gt (randInt 0 10) 5',
    'mod (randInt 0 61) 60',
    'eq (randAlphaNum 9) (randAlphaNum 9)',
    'eq (tpl "{{ uuidv4 }}" .) (tpl "{{ uuidv4 }}" .)',
    'list (randBytes 9) (randBytes 9) | uniq | len',
    '(genCA "a" 1).Cert | splitList "\\n" | rest | first | trunc 1',
  ])('is not delivered: %s', (expression) => {
    const resolved = resolveChart(withValue(expression));
    expect(namesOf(resolved)).toEqual([]);
    expect(chartFindings(resolved)).toEqual([expect.stringMatching(/^FW6028 /)]);
  });

  it.each([
    ['genPrivateKey "ecdsa" | trunc 30', '-----BEGIN EC PRIVATE KEY-----'],
    ['genPrivateKey "ed25519" | trunc 27', '-----BEGIN PRIVATE KEY-----'],
    ['genPrivateKey "other"', 'Unknown type other'],
    ['encryptAES "key" ""', ''],
    ['encryptAES "key" "a text of 16 byt" | len', '64'],
    ['randBytes 10 | len', '16'],
    ['randAlpha 9 | regexMatch "[0-9]"', 'false'],
    ['randAlphaNum -1', ''],
    ['bcrypt (repeat 73 "a") | trunc 34', 'failed to encrypt string with bcr'],
    ['htpasswd "a:b" "c"', 'invalid username: a:b'],
    [
      '$ca := genCA "a" 1 }}{{ (buildCustomCert (b64enc $ca.Cert) (b64enc $ca.Key)).Cert | eq $ca.Cert',
      'true',
    ],
  ])('that is the same each time is delivered: %s', (expression, value) => {
    const text = `${config}data: { value: "{{ ${expression} }}" }\n`;
    const resolved = resolveChart({ 'templates/a.yaml': text });
    expect(chartFindings(resolved)).toEqual([]);
    expect(manifestsOf(resolved)).toMatchObject([
      { data: { value: expect.stringMatching(`^${value}`) as string } },
    ]);
  });
});

/** A Deployment whose Pods have an annotation. */
function annotated(annotation: string, container = '{ name: a, image: a }'): Record<string, string> {
  return {
    'templates/a.yaml': `${object('Deployment', 'server', '', 'apps/v1')}spec:
  template:
    metadata: { annotations: { note: ${annotation} } }
    spec: { containers: [${container}] }
`,
  };
}

describe('an annotation of a Pod', () => {
  it.each(['"{{ uuidv4 }}"', 'sha256:{{ uuidv4 | sha256sum }}', 'v1-{{ randAlphaNum 5 }}'])(
    'can be a random word: %s',
    (annotation) => {
      const resolved = resolveChart(annotated(annotation));
      expect(chartFindings(resolved)).toEqual([]);
      expect(namesOf(resolved)).toEqual(['Deployment agents/server']);
    },
  );

  it.each([
    ['it has other parts', annotated(`'{ "password": "{{ randAlphaNum 9 }}" }'`)],
    [
      'a variable of the Pod has it',
      annotated(
        '{{ randAlphaNum 9 }}',
        `{ name: a, image: a, env: [{ name: A, valueFrom: { fieldRef: { fieldPath: "metadata.annotations['note']" } } }] }`,
      ),
    ],
    [
      'the template is not that of a Pod',
      {
        'templates/a.yaml': `${object('ExternalSecret', 'a', '', 'external-secrets.io/v1')}spec:
  target: { template: { metadata: { annotations: { note: '{{ randAlphaNum 9 }}' } } } }
`,
      },
    ],
  ])('is not random if %s', (_, files: Readonly<Record<string, string>>) => {
    const resolved = resolveChart(files);
    expect(namesOf(resolved)).toEqual([]);
    expect(chartFindings(resolved)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^FW6028 /)]) as string[],
    );
  });
});

it('a Secret of which only an annotation is random is an error, because its values could be delivered', () => {
  const secret = object('Secret', 'a', `, annotations: { at: "{{ now | unixEpoch }}" }`);
  expect(chartFindings(resolveChart({ 'templates/a.yaml': `${secret}stringData: { a: b }\n` }))).toEqual([
    expect.stringMatching(/^FW6028 [\s\S]*write the time that the chart shall see/),
  ]);
});
