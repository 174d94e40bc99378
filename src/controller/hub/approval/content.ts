import {
  readCertificateRequest,
  requestedFingerprint,
  type CertificateRequest,
} from '../../../base/certificates/certificate-request.ts';
import { MalformedDer } from '../../../base/certificates/der-reader.ts';
import {
  isAuthority,
  isClientKeyUsage,
  readAlternativeNames,
  readExtendedKeyUsages,
  type RequestedExtension,
} from '../../../base/certificates/extensions.ts';
import { oids } from '../../../base/certificates/object-identifiers.ts';
import { MalformedPem, readPemBlock } from '../../../base/certificates/pem.ts';
import { readPublicKey, UnfitKey, type PublicKey } from '../../../base/certificates/public-key.ts';
import { isSignedBy } from '../../../base/certificates/signature-algorithm.ts';
import { valuesOf, type Subject } from '../../../base/certificates/subject.ts';
import type { Limits } from './facts.ts';
import { isSameInAnyOrder } from '../../add-on/registered-subject.ts';
import { quoted, type Refusal } from './verdict.ts';

/** The required content of a PKCS #10 request. */
export interface ExpectedContent {
  readonly subject: Subject;
  /** The alternative name that it may request. */
  readonly dnsName: string;
}

/** The key of a request that requests no more than is expected. */
export type RequestedKey = Pick<PublicKey, 'encoded' | 'fingerprint'>;

const nameTypes: ReadonlySet<string> = new Set([oids.commonName, oids.organization, oids.organizationalUnit]);

/**
 * Compares a PKCS #10 request with its registration. Returns its key, which is the only part that goes into the
 * certificate, or the first check that it fails. Cheap checks come first; the signature comes last.
 *
 * @param encoded - PEM in Base64
 */
export async function checkContent(
  encoded: string,
  { subject, dnsName }: ExpectedContent,
  limits: Pick<Limits, 'requestOctets'>,
): Promise<RequestedKey | Refusal> {
  const refusal = checkSize(encoded.length, limits);
  if (refusal !== undefined) return refusal;
  const request = decode(encoded, readCertificateRequest);
  if ('check' in request) return request;
  return (
    checkSubject(request, subject) ??
    checkExtensions(request.extensions, dnsName) ??
    (await checkKey(request))
  );
}

/** @param length - characters of a request in PEM and Base64 */
export function checkSize(
  length: number,
  { requestOctets }: Pick<Limits, 'requestOctets'>,
): Refusal | undefined {
  return length > encodedLength(requestOctets)
    ? { check: 'size', message: `it is larger than ${requestOctets} bytes` }
    : undefined;
}

async function checkKey({
  publicKey,
  signature: { algorithm, content, signature },
}: CertificateRequest): Promise<RequestedKey | Refusal> {
  const key = refusing(() => readPublicKey(publicKey));
  if ('check' in key) return key;
  if (!(await isSignedBy(key.key, algorithm, content, signature))) {
    return {
      check: 'signature',
      message: 'it is not signed by its own key with SHA-256, SHA-384, SHA-512 or Ed25519',
    };
  }
  // A copy, so that the whole request does not stay in memory with its key.
  return { encoded: Buffer.from(key.encoded), fingerprint: key.fingerprint };
}

/**
 * Returns the fingerprint of the key of a request, valid or not; undefined if it cannot be read. It equals that of
 * the key that `checkContent` returns: no other encoding of it passes there.
 */
export function fingerprintOf(encoded: string, limits: Limits): string | undefined {
  if (checkSize(encoded.length, limits) !== undefined) return undefined;
  const fingerprint = decode(encoded, requestedFingerprint);
  return typeof fingerprint === 'string' ? fingerprint : undefined;
}

/** Returns the number of characters that the octets have in Base64. */
function encodedLength(octets: number): number {
  return Math.ceil(octets / 3) * 4;
}

function decode<T>(encoded: string, read: (der: Buffer) => T): T | Refusal {
  const pem = Buffer.from(encoded, 'base64').toString('latin1');
  return refusing(() => read(readPemBlock(pem, 'CERTIFICATE REQUEST')));
}

/** Returns the result of `read`; a refusal if it throws because of the content of the request. */
function refusing<T>(read: () => T): T | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnfitKey) return { check: 'key', message: error.message };
    if (error instanceof MalformedPem) return { check: 'encoding', message: error.message };
    if (error instanceof MalformedDer) {
      return { check: 'encoding', message: `it is not a request in DER: ${error.message}` };
    }
    throw error;
  }
}

function checkSubject({ subject: requested }: CertificateRequest, registered: Subject): Refusal | undefined {
  const commonNames = valuesOf(requested, oids.commonName);
  if (commonNames.length !== 1 || commonNames[0] !== registered.commonName) {
    const requestedName =
      commonNames.length === 1 ? quoted(commonNames[0] ?? '') : `${commonNames.length} common names`;
    return {
      check: 'common-name',
      message: `it asks for ${requestedName}, not for ${quoted(registered.commonName)}`,
    };
  }
  const other = requested.attributes.find(({ type }) => !nameTypes.has(type));
  if (other !== undefined) {
    return { check: 'common-name', message: `its subject has an attribute ${other.type}` };
  }
  return (
    checkSet('organizations', valuesOf(requested, oids.organization), registered.organizations) ??
    checkSet(
      'organizational-units',
      valuesOf(requested, oids.organizationalUnit),
      registered.organizationalUnits,
    )
  );
}

function checkSet(
  check: 'organizations' | 'organizational-units',
  requested: readonly string[],
  registered: readonly string[],
): Refusal | undefined {
  if (isSameInAnyOrder(requested, registered)) return undefined;
  const what = check === 'organizations' ? 'organization' : 'organizational unit';
  const extra = requested.find((value) => !registered.includes(value));
  if (extra !== undefined) return { check, message: `its ${what} ${quoted(extra)} is not registered` };
  const missing = registered.find((value) => !requested.includes(value));
  if (missing !== undefined) return { check, message: `it lacks the registered ${what} ${quoted(missing)}` };
  return { check, message: `it has a registered ${what} more or fewer times than registered` };
}

function checkExtensions(extensions: readonly RequestedExtension[], dnsName: string): Refusal | undefined {
  try {
    for (const extension of extensions) {
      const refusal = checkExtension(extension, dnsName);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    return { check: 'extensions', message: `an extension is not in DER: ${error.message}` };
  }
}

/**
 * Accepts the extensions that a client certificate may have. Any other extension is refused, known or not, critical
 * or not.
 */
function checkExtension({ type, value }: RequestedExtension, dnsName: string): Refusal | undefined {
  if (type === oids.subjectAlternativeName) return checkAlternativeNames(value, dnsName);
  if (type === oids.basicConstraints) {
    return isAuthority(value) ? { check: 'extensions', message: 'it requests a CA certificate' } : undefined;
  }
  if (type === oids.keyUsage) {
    return isClientKeyUsage(value)
      ? undefined
      : { check: 'extensions', message: 'its key usage is more than digital signature and key encipherment' };
  }
  if (type === oids.extendedKeyUsage) {
    return isSameInAnyOrder(readExtendedKeyUsages(value), [oids.clientAuth])
      ? undefined
      : { check: 'extensions', message: 'its extended key usage is not only client auth' };
  }
  return { check: 'extensions', message: `it asks for the extension ${type}` };
}

function checkAlternativeNames(value: Buffer, dnsName: string): Refusal | undefined {
  const names = readAlternativeNames(value);
  for (const alternativeName of names) {
    if (alternativeName.kind === 'DNS' && alternativeName.name === dnsName) continue;
    const what =
      alternativeName.kind === 'DNS'
        ? `the DNS name ${quoted(alternativeName.name)}`
        : `a name of the kind ${alternativeName.kind}`;
    return { check: 'alternative-names', message: `it asks for ${what}, not for ${dnsName} alone` };
  }
  if (names.length === 1) return undefined;
  return {
    check: 'alternative-names',
    message: `it asks for ${names.length} alternative names, not for one`,
  };
}
