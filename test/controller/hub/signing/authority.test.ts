import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  namedBits,
  objectIdentifier,
  sequence,
  trueValue,
} from '../../../../src/base/certificates/der-writer.ts';
import { extension } from '../../../../src/base/certificates/extensions.ts';
import { oids } from '../../../../src/base/certificates/object-identifiers.ts';
import { readAuthority, type AuthoritySecret } from '../../../../src/controller/hub/signing/authority.ts';
import {
  authorityCertificate,
  authorityExtensions,
  authoritySecret,
  base64,
  type AuthorityOptions,
} from '../../../base/certificates/authorities.ts';
import { newKey } from '../../../base/certificates/forged-request.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const day = 86_400_000;
const key = newKey();
const good = authoritySecret(key, authorityCertificate(key, { notBefore: now - day, notAfter: now + day }));
const encrypted = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' });
const basic = extension(oids.basicConstraints, sequence(trueValue()));

function made(options: AuthorityOptions): AuthoritySecret {
  return authoritySecret(
    key,
    authorityCertificate(key, { notBefore: now - day, notAfter: now + day, ...options }),
  );
}

test.each([
  ['is empty', {}, 'it has no tls.crt'],
  ['has no key', { 'tls.crt': good['tls.crt'] }, 'it has no tls.key'],
  [
    'has no certificate in PEM',
    { ...good, 'tls.crt': base64('hello') },
    'its tls.crt is not a certificate in PEM',
  ],
  [
    'has a broken certificate',
    { ...good, 'tls.crt': base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n') },
    'its tls.crt has a certificate that cannot be read',
  ],
  [
    'has a broken key',
    { ...good, 'tls.key': base64('-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n') },
    'its tls.key is not a private key in PEM without a passphrase',
  ],
  [
    'has a key with a passphrase',
    { ...good, 'tls.key': base64(encrypted.toString()) },
    'its tls.key is not a private key in PEM without a passphrase',
  ],
  [
    'has the key of another',
    { ...good, 'tls.key': authoritySecret(newKey())['tls.key'] },
    'no certificate of its tls.crt fits its tls.key',
  ],
  [
    'has a certificate that is not that of an authority',
    made({ extensions: [] }),
    'its certificate is not that of a certificate authority',
  ],
  [
    'has a certificate with CA:FALSE',
    made({ extensions: [extension(oids.basicConstraints, sequence())] }),
    'its certificate is not that of a certificate authority',
  ],
  [
    'may not sign certificates',
    made({ extensions: [basic, extension(oids.keyUsage, namedBits([0]))] }),
    'the key usage of its certificate lacks certificate signing',
  ],
  [
    'is for servers alone',
    made({
      extensions: [basic, extension(oids.extendedKeyUsage, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1')))],
    }),
    'the extended key usage of its certificate lacks client auth',
  ],
  ['has expired', made({ notAfter: now }), 'its certificate has expired at 2026-11-21T10:00:00Z'],
  [
    'is not valid yet',
    made({ notBefore: now + 1000 }),
    'its certificate is not valid before 2026-11-21T10:00:01Z',
  ],
] satisfies [string, AuthoritySecret, string][])('a secret that %s is refused', (_, secret, message) => {
  expect(() => readAuthority(secret, now)).toThrow(new Error(message));
});

test.each([
  ['RSA of 1024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
  ['secp256k1', newKey('secp256k1')],
])('a key of the type %s is refused', (_, weak) => {
  const issuer = { name: 'authority', key };
  const secret = authoritySecret(
    weak,
    authorityCertificate(weak, { issuer, extensions: authorityExtensions(weak) }),
  );
  expect(() => readAuthority(secret, now)).toThrow(
    'its tls.key is neither RSA with 2048 bits or more, nor ECDSA on P-256, P-384 or P-521, nor Ed25519',
  );
});

test('an authority without extensions for usage and identifier is good', () => {
  const authority = readAuthority(made({ extensions: [basic] }), now);
  expect(authority.certificate).toMatchObject({
    isAuthority: true,
    notBefore: now - day,
    notAfter: now + day,
  });
});

test('the key is neither in the printed form of an authority nor in its JSON', () => {
  const authority = readAuthority(good, now);
  const printed = inspect(authority, { depth: Infinity, showHidden: true }) + JSON.stringify(authority);
  const { d = '' } = key.export({ format: 'jwk' });
  expect(printed).not.toContain(d);
  expect(printed).not.toContain('PRIVATE');
  expect(printed).not.toContain('PrivateKeyObject');
});
