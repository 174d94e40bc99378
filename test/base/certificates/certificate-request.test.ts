import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readCertificateRequest,
  requestedFingerprint,
  type CertificateRequest,
} from '../../../src/base/certificates/certificate-request.ts';
import { MalformedDer } from '../../../src/base/certificates/der-reader.ts';
import { readAlternativeNames } from '../../../src/base/certificates/extensions.ts';
import { newCertificateRequest } from '../../../src/base/certificates/new-certificate-request.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import { readPemBlock, writePemBlock } from '../../../src/base/certificates/pem.ts';
import { readPublicKey } from '../../../src/base/certificates/public-key.ts';
import { isSignedBy } from '../../../src/base/certificates/signature-algorithm.ts';
import { valuesOf } from '../../../src/base/certificates/subject.ts';
import { attribute, forge, newKey } from './forged-request.ts';

const folder = path.join(import.meta.dirname, 'requests');
const label = 'CERTIFICATE REQUEST';

/** Whether the key of a request is fit and has signed it. */
async function isSigned({ publicKey, signature }: CertificateRequest): Promise<boolean> {
  const { key } = readPublicKey(publicKey);
  return await isSignedBy(key, signature.algorithm, signature.content, signature.signature);
}

test.each(readdirSync(folder))('a request that another program wrote is read: %s', async (file) => {
  const der = readPemBlock(readFileSync(path.join(folder, file), 'utf8'), label);
  const request = readCertificateRequest(der);
  expect(requestedFingerprint(der)).toBe(readPublicKey(request.publicKey).fingerprint);
  const names = request.extensions.find(({ type }) => type === oids.subjectAlternativeName);
  expect({
    organizations: valuesOf(request.subject, oids.organization),
    units: valuesOf(request.subject, oids.organizationalUnit),
    commonNames: valuesOf(request.subject, oids.commonName),
    alternativeNames: names && readAlternativeNames(names.value),
    isSignedByItsKey: await isSigned(request),
  }).toEqual({
    organizations: ['readers'],
    units: ['edge'],
    commonNames: ['hello'],
    alternativeNames: [{ kind: 'DNS', name: 'hello.addon.open-cluster-management.io' }],
    isSignedByItsKey: true,
  });
});

test('a new request returns its inputs when read', async () => {
  const key = newKey();
  const text = fc.string({ unit: 'binary' });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text),
      fc.array(text),
      async (commonName, organizations, organizationalUnits) => {
        const subject = { commonName, organizations, organizationalUnits };
        const request = readCertificateRequest(readPemBlock(newCertificateRequest(key, { subject }), label));
        expect(await isSigned(request)).toBe(true);
        // As pkix.Name, which has no empty common name.
        expect(valuesOf(request.subject, oids.commonName)).toEqual(commonName === '' ? [] : [commonName]);
        expect(valuesOf(request.subject, oids.organization).toSorted()).toEqual(organizations.toSorted());
        expect(valuesOf(request.subject, oids.organizationalUnit).toSorted()).toEqual(
          organizationalUnits.toSorted(),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test('a request that cannot be approved shows the fingerprint of its key', () => {
  const [key, weak] = [newKey(), newKey('P-224')];
  const name = [[attribute(oids.commonName, 'a')]];
  const unsigned = forge({ key, name, sign: () => Buffer.alloc(8) });
  expect(requestedFingerprint(unsigned)).toBe(requestedFingerprint(forge({ key, name: [] })));
  expect(requestedFingerprint(forge({ key: weak, name }))).toMatch(/^[0-9a-f]{64}$/);
  expect(() => requestedFingerprint(forge({ key, name, version: 1 }))).toThrow('it is not of version 1');
  expect(() => requestedFingerprint(Buffer.concat([unsigned, Buffer.alloc(1)]))).toThrow(MalformedDer);
});

test('a new request is made with no key of another type', () => {
  const { privateKey } = generateKeyPairSync('ed448');
  const subject = { commonName: 'a', organizations: [], organizationalUnits: [] };
  expect(() => newCertificateRequest(privateKey, { subject })).toThrow(
    'the key is neither RSA, nor ECDSA on P-256, P-384 or P-521, nor Ed25519',
  );
});

test('a PEM block is read as it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 500 }), (bytes) => {
      expect(readPemBlock(writePemBlock(Buffer.from(bytes), label), label)).toEqual(Buffer.from(bytes));
    }),
  );
});
