import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { certificateState } from '../../../src/controller/agent/credentials/certificate-state.ts';
import { signClientCertificate } from '../../../src/base/certificates/certificate.ts';
import { writePemBlock } from '../../../src/base/certificates/pem.ts';
import { signerOf } from '../../../src/base/certificates/signature-algorithm.ts';
import { writeName, type Subject } from '../../../src/base/certificates/subject.ts';
import { newKey } from '../../base/certificates/forged-request.ts';

const [key, now] = [newKey(), Date.parse('2026-01-31T12:00:00Z')];

function held(subject: Subject): Parameters<typeof certificateState>[0] {
  const signer = signerOf(key);
  if (signer === undefined) throw new Error('the key cannot sign');
  const certificate = signClientCertificate(
    {
      subject,
      dnsNames: [],
      publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }),
      serialNumber: Buffer.from([1]),
      notBefore: now,
      notAfter: now + 3_600_000,
    },
    { name: writeName(subject), keyIdentifier: Buffer.alloc(20), signer },
  );
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: writePemBlock(certificate, 'CERTIFICATE'), key: pem };
}

test.each([
  'readers',
  'a + b',
  'a, b',
  'x=y',
  '"quoted"',
  ' around ',
  '#hash',
  'a\\b',
  'a\\0A',
  'a;b<c>',
  'a\nb',
  'a\tb',
  'wrïters',
  '日本',
  '😀',
])('a certificate in the group %j is that of its registration', (group) => {
  const subject = { commonName: group, organizations: [group, 'others'], organizationalUnits: [group] };
  expect(certificateState(held(subject), subject, now)).toMatchObject({ notAfter: now + 3_600_000 });
  const other = { ...subject, organizations: ['others'] };
  expect(certificateState(held(other), subject, now)).toEqual({ unusable: 'it is for other groups' });
});

test('of a certificate that has expired, the report includes the clock', () => {
  const subject = { commonName: 'hello', organizations: [], organizationalUnits: [] };
  expect(certificateState(held(subject), subject, now + 86_400_000)).toEqual({
    unusable: 'it expired at 2026-01-31T13:00:00Z, and the local time is 2026-02-01T12:00:00Z',
  });
});
