import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCertificateRequest } from '../../../controller/certificates/certificate-request.ts';
import { readAlternativeNames } from '../../../controller/certificates/extensions.ts';
import { newCertificateRequest } from '../../../controller/certificates/new-certificate-request.ts';
import { oids } from '../../../controller/certificates/object-identifiers.ts';
import { readPemBlock, writePemBlock } from '../../../controller/certificates/pem.ts';
import { valuesOf } from '../../../controller/certificates/subject.ts';
import { newKey } from './forged-request.ts';

const folder = path.join(import.meta.dirname, 'requests');
const label = 'CERTIFICATE REQUEST';

test.each(readdirSync(folder))('a request that another program wrote is read: %s', (file) => {
  const request = readCertificateRequest(readPemBlock(readFileSync(path.join(folder, file), 'utf8'), label));
  const names = request.extensions.find(({ type }) => type === oids.subjectAlternativeName);
  expect({
    organizations: valuesOf(request.subject, oids.organization),
    units: valuesOf(request.subject, oids.organizationalUnit),
    commonNames: valuesOf(request.subject, oids.commonName),
    alternativeNames: names && readAlternativeNames(names.value),
    isSignedByItsKey: request.isSignedByItsKey,
  }).toEqual({
    organizations: ['readers'],
    units: ['edge'],
    commonNames: ['hello'],
    alternativeNames: [{ kind: 'DNS', name: 'hello.addon.open-cluster-management.io' }],
    isSignedByItsKey: true,
  });
});

test('a new request says what it was made of', () => {
  const key = newKey();
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, fc.array(text), fc.array(text), (commonName, organizations, organizationalUnits) => {
      const subject = { commonName, organizations, organizationalUnits };
      const request = readCertificateRequest(readPemBlock(newCertificateRequest(key, { subject }), label));
      expect(request.isSignedByItsKey).toBe(true);
      expect(valuesOf(request.subject, oids.commonName)).toEqual([commonName]);
      expect(valuesOf(request.subject, oids.organization).toSorted()).toEqual(organizations.toSorted());
      expect(valuesOf(request.subject, oids.organizationalUnit).toSorted()).toEqual(
        organizationalUnits.toSorted(),
      );
    }),
    { numRuns: 50 },
  );
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
