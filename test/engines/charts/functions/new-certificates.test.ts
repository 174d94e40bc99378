import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { ChartTemplates } from '../../../../src/engines/charts/engine.ts';
import { Sample, TemplateLimitError, type SampleKind } from '../../../../src/engines/gotemplate/index.ts';

/** What a template is rendered with. */
interface Options {
  /** @default - the bound of templates */
  readonly steps?: number;
  /** @default 'random' */
  readonly kind?: SampleKind;
}

function render(text: string, { kind = 'random', ...limits }: Options = {}): string {
  const templates = [{ name: 'c/templates/a.yaml', text, basePath: 'c/templates' }];
  const sample = new Sample(kind);
  const rendered = new ChartTemplates(templates).render(() => new Map(), { sampleOf: () => sample, limits });
  return [...rendered.values()].join('');
}

function failure(text: string, options?: Options): Error {
  try {
    render(text, options);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the template rendered');
}

/** Returns the certificates in a text. */
function certificatesIn(text: string): readonly X509Certificate[] {
  return (text.match(/-----BEGIN CERT[^]*?-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
}

/** Whether a certificate has an extension, as its object identifier in DER. */
function has({ raw }: X509Certificate, extension: string): boolean {
  return raw.includes(Buffer.from(`0603${extension}`, 'hex'));
}

const [subjectKey, authorityKey] = ['551d0e', '551d23'];
/** A key that is quickly made. */
const key = '(genPrivateKey "ecdsa")';

test('certificates have the extensions that Go writes', () => {
  const [authority, leaf, own] = certificatesIn(
    render(`{{ $ca := genCAWithKey "ca" 3650 ${key} }}{{ $ca.Cert }}
{{- (genSignedCertWithKey "leaf" (list "::ffff:10.0.0.1") (list "a.example.com") 30 $ca ${key}).Cert }}
{{- (genSelfSignedCertWithKey "own" nil nil 30 ${key}).Cert }}`),
  );
  if (authority === undefined || leaf === undefined || own === undefined) throw new Error('not written');
  expect([authority, leaf, own].map((each) => [has(each, subjectKey), has(each, authorityKey)])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  expect(leaf.checkIssued(authority)).toBe(true);
  expect(leaf.verify(authority.publicKey)).toBe(true);
  expect(leaf.subjectAltName).toBe('DNS:a.example.com, IP Address:10.0.0.1');
  expect([authority.ca, leaf.ca, own.ca]).toEqual([true, false, false]);
});

test('a certificate with the name of its authority is not its own issuer', () => {
  const [authority, leaf] = certificatesIn(
    render(
      `{{ $ca := genCAWithKey "one" 1 ${key} }}{{ $ca.Cert }}{{ (genSignedCertWithKey "one" nil nil 1 $ca ${key}).Cert }}`,
    ),
  );
  expect(leaf?.issuer).toBe(leaf?.subject);
  expect(leaf && has(leaf, authorityKey)).toBe(true);
  expect(authority && leaf?.verify(authority.publicKey)).toBe(true);
});

test('a certificate without a name has a critical alternative name', () => {
  const [own] = certificatesIn(
    render(`{{ (genSelfSignedCertWithKey "" nil (list "a.example.com") 1 ${key}).Cert }}`),
  );
  expect(own?.subject).toBeUndefined();
  // the extension and TRUE
  expect(own?.raw.includes(Buffer.from('0603551d110101ff', 'hex'))).toBe(true);
});

test('more days than a time.Duration can have overflow as in Helm', () => {
  const [own, long] = certificatesIn(
    render(`{{ (genCAWithKey "a" 365000 ${key}).Cert }}{{ (genCAWithKey "a" 100000 ${key}).Cert }}`),
  );
  // 365,000 days modulo 2^64 ns are about -170 years.
  expect(own?.validTo).toMatch(/ 18[5-9]\d GMT$/);
  expect(long?.validTo).toMatch(/ 2[23]\d\d GMT$/);
});

test.each([
  ['genCA "a"', 'wrong number of args for genCA: want 2 got 1'],
  ['genCA "a" "1"', 'expected integer; found "1"'],
  ['genSignedCert "a" nil nil 1 (dict)', 'expected sprig.certificate; got map[string]interface {}'],
  ['genSelfSignedCert "a" "b" nil 1', 'can\'t handle "b" for arg of type []interface {}'],
  ['genCAWithKey "a" 1 "b"', 'error calling genCAWithKey: parsing private key: no PEM data in input'],
  [
    `genSelfSignedCertWithKey "a" nil (list "ä") 1 ${key}`,
    'error creating certificate: x509: "ä" cannot be encoded as an IA5String',
  ],
  [`genSelfSignedCertWithKey "a" (list "a") nil 1 ${key}`, 'error parsing ip: a'],
  [
    `genSignedCertWithKey "a" nil nil 1 (buildCustomCert (b64enc (genCAWithKey "a" 1 ${key}).Cert) (b64enc ${key})) ${key}`,
    "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey",
  ],
])('is an error of Helm: %s', (call, message) => {
  expect(failure(`{{ ${call} }}`).message).toContain(message);
});

test.each([
  ['', 'RSA PRIVATE KEY', 'rsa'],
  ['dsa', 'DSA PRIVATE KEY', 'dsa'],
  ['ecdsa', 'EC PRIVATE KEY', 'ec'],
  ['ed25519', 'PRIVATE KEY', 'ed25519'],
])('a private key of the type "%s" is a %s', (type, label, keyType) => {
  const text = render(`{{ genPrivateKey "${type}" }}`);
  expect(text).toMatch(new RegExp(`^-----BEGIN ${label}-----\n`));
  const made = createPrivateKey(text);
  expect(made.asymmetricKeyType).toBe(keyType);
  expect(createPublicKey(made).asymmetricKeyType).toBe(keyType);
});

const loop = (call: string): string => `{{ range until 1000 }}{{ ${call} | len }}{{ end }}`;

test.each(['bcrypt "a"', 'htpasswd "a" "b"', '(genCA "a" 1).Cert'])(
  'in a loop, a function that takes long ends with a bound: %s',
  (call) => {
    expect(failure(loop(call), { steps: 600_000 })).toBeInstanceOf(TemplateLimitError);
  },
);

test.each(['randAlphaNum 400000', 'randBytes 400000', 'shuffle (repeat 400000 "ab")'])(
  'in a loop, a long text ends with a bound, random or not: %s',
  (call) => {
    for (const kind of ['first', 'random'] as const)
      expect(failure(loop(call), { steps: 600_000, kind })).toBeInstanceOf(TemplateLimitError);
  },
);
