import { generateKeyPairSync, randomBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../../src/controller/hub/approval/verdict.ts';
import {
  readAuthority,
  type Authority,
  type AuthoritySecret,
} from '../../../../src/controller/hub/signing/authority.ts';
import { issueCertificate } from '../../../../src/controller/hub/signing/issue.ts';
import { authorityCertificate, authoritySecret } from '../../../base/certificates/authorities.ts';
import { newKey } from '../../../base/certificates/forged-request.ts';
import { publicPart } from '../approval/entitled-request.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;
const subject = 'O=readers + O=writers\nOU=edge\nCN=hello-agent';
const year = { notBefore: now - 30 * day, notAfter: now + 365 * day };

function granted(key: KeyObject = newKey(), more: Partial<Grant> = {}): Grant {
  return {
    cluster: 'cluster1',
    addOn: 'hello',
    signerName: 'example.com/hello',
    subject: {
      commonName: 'hello-agent',
      organizations: ['writers', 'readers'],
      organizationalUnits: ['edge'],
    },
    dnsNames: ['hello.addon.open-cluster-management.io'],
    publicKey: publicPart(key),
    fingerprint: '',
    expirationSeconds: undefined,
    ...more,
  };
}

function issue(grant: Grant, authority: Authority, more: { lifetime?: number; now?: number } = {}): string {
  return issueCertificate(grant, authority, {
    now,
    lifetime: 86_400,
    serialNumber: randomBytes(16),
    ...more,
  });
}

const keys: [string, () => AuthoritySecret][] = [
  ['RSA in PKCS #1', () => authoritySecret(rsa(), undefined, 'pkcs1')],
  ['RSA in PKCS #8', () => authoritySecret(rsa())],
  ['ECDSA P-256 in SEC 1', () => authoritySecret(newKey('P-256'), undefined, 'sec1')],
  ['ECDSA P-256 in PKCS #8', () => authoritySecret(newKey('P-256'))],
  ['ECDSA P-384 in SEC 1', () => authoritySecret(newKey('P-384'), undefined, 'sec1')],
  ['ECDSA P-384 in PKCS #8', () => authoritySecret(newKey('P-384'))],
  ['ECDSA P-521 in PKCS #8', () => authoritySecret(newKey('P-521'))],
  ['Ed25519', () => authoritySecret(generateKeyPairSync('ed25519').privateKey)],
];

function rsa(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function certificateOf({ 'tls.crt': encoded = '' }: AuthoritySecret): X509Certificate {
  return new X509Certificate(Buffer.from(encoded, 'base64'));
}

describe.each(keys)('an authority with %s', (_, makeSecret) => {
  const secret = makeSecret();
  const authority = readAuthority(secret, Date.now());

  test('signs certificates that its own certificate verifies', () => {
    const key = newKey();
    const certificate = new X509Certificate(issue(granted(key), authority));
    const issuer = certificateOf(secret);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(key)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  test('signs certificates with which a client is let in', async () => {
    const key = newKey();
    const cert = issue(granted(key), authority, { now: Date.now() });
    expect(await clientSeenBy(certificateOf(secret).toString(), { cert, key })).toBe(subject);
  });
});

describe('a certificate', () => {
  const key = newKey();
  const authority = readAuthority(authoritySecret(key, authorityCertificate(key, year)), now);

  test('has the subject, the names and the usage of the registration', () => {
    const certificate = new X509Certificate(issue(granted(), authority));
    expect(certificate.subject).toBe(subject);
    expect(certificate.subjectAltName).toBe('DNS:hello.addon.open-cluster-management.io');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.issuer).toBe('CN=authority');
  });

  test('names are written in UTF-8 if ASCII is not sufficient', () => {
    const subject = { commonName: 'grüß', organizations: ['a@b'], organizationalUnits: [] };
    expect(new X509Certificate(issue(granted(newKey(), { subject }), authority)).subject).toBe(
      'O=a@b\nCN=grüß',
    );
  });

  test.each([
    ['as long as is usual where it is not asked otherwise', {}, { lifetime: 86_400 }, 86_400],
    ['as long as asked', { expirationSeconds: 3600 }, { lifetime: 86_400 }, 3600],
    ['no longer than is usual', { expirationSeconds: 864_000 }, { lifetime: 86_400 }, 86_400],
    [
      'no longer than its authority',
      { expirationSeconds: 864_000_000 },
      { lifetime: 864_000_000 },
      365 * 86_400,
    ],
  ])('is valid %s', (_, asked, options, seconds) => {
    const certificate = new X509Certificate(issue(granted(newKey(), asked), authority, options));
    expect(Date.parse(certificate.validTo)).toBe(now + seconds * 1000);
    expect(Date.parse(certificate.validFrom)).toBe(now - 5 * minute);
  });

  test('is not older than its authority', () => {
    const young = newKey();
    const notBefore = now - minute;
    const made = readAuthority(
      authoritySecret(young, authorityCertificate(young, { ...year, notBefore })),
      now,
    );
    expect(Date.parse(new X509Certificate(issue(granted(), made)).validFrom)).toBe(notBefore);
  });

  test('may be valid beyond the year 2049', () => {
    const old = newKey();
    const notAfter = Date.parse('2060-01-01T00:00:00Z');
    const made = readAuthority(authoritySecret(old, authorityCertificate(old, { ...year, notAfter })), now);
    const certificate = new X509Certificate(issue(granted(), made, { lifetime: 2_000_000_000 }));
    expect(Date.parse(certificate.validTo)).toBe(notAfter);
  });

  test('has the serial number that was drawn', () => {
    const serialNumber = Buffer.from('ff00112233445566778899aabbccddee', 'hex');
    const pem = issueCertificate(granted(), authority, { now, lifetime: 600, serialNumber });
    expect(new X509Certificate(pem).serialNumber).toBe('FF00112233445566778899AABBCCDDEE');
  });
});

describe('an authority that is replaced', () => {
  const [before, after] = [newKey(), newKey('P-384')];
  const old = authorityCertificate(before, { name: 'old' });
  const renewed = authorityCertificate(after, { name: 'new' });
  const crossSigned = authorityCertificate(after, { name: 'new', issuer: { name: 'old', key: before } });
  const authority = readAuthority(authoritySecret(after, renewed + crossSigned), Date.now());

  test.each([
    ['the old one', old],
    ['the new one', renewed],
  ])('signs for servers that trust %s', async (_, trusted) => {
    const key = newKey();
    const cert = issue(granted(key), authority, { now: Date.now() });
    expect(await clientSeenBy(trusted, { cert, key })).toBe(subject);
  });

  test('hands out the certificate that leads to the old one, and no root', () => {
    const blocks = issue(granted(), authority).match(/-----BEGIN/g);
    expect(blocks).toHaveLength(2);
    expect(authority.chain).toEqual([crossSigned]);
  });
});

test('an intermediate authority hands out its own certificate', async () => {
  const [root, own] = [newKey(), rsa()];
  const rootCertificate = authorityCertificate(root, { name: 'root' });
  const intermediate = authorityCertificate(own, { name: 'own', issuer: { name: 'root', key: root } });
  const authority = readAuthority(authoritySecret(own, rootCertificate + intermediate), Date.now());
  const key = newKey();
  const cert = issue(granted(key), authority, { now: Date.now() });
  expect(authority.chain).toEqual([intermediate]);
  expect(await clientSeenBy(rootCertificate, { cert, key })).toBe(subject);
});

/** The subject by which a server that trusts an authority knows a client. */
async function clientSeenBy(
  ca: string,
  client: { readonly cert: string; readonly key: KeyObject },
): Promise<string | undefined> {
  const serverKey = newKey();
  const pem = serverKey.export({ type: 'pkcs8', format: 'pem' });
  const server = tls.createServer({
    key: pem,
    cert: authorityCertificate(serverKey, { name: 'server' }),
    ca,
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = tls.connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    cert: client.cert,
    key: client.key.export({ type: 'pkcs8', format: 'pem' }),
    rejectUnauthorized: false,
  });
  try {
    const [seen] = (await Promise.race([
      once(server, 'secureConnection'),
      once(server, 'tlsClientError').then(([error]) => Promise.reject(error as Error)),
    ])) as [tls.TLSSocket];
    return seen.authorized ? seen.getPeerX509Certificate()?.subject : undefined;
  } finally {
    socket.destroy();
    server.close();
  }
}
