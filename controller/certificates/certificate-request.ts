import {
  contextTag,
  DerReader,
  MalformedDer,
  readObjectIdentifier,
  readOctetAlignedBits,
  tags,
} from './der-reader.ts';
import { readExtensions, type RequestedExtension } from './extensions.ts';
import { oids } from './object-identifiers.ts';
import { fingerprintOfKey, readPublicKey, type RequestedKey } from './public-key.ts';
import { isSignedBy, readAlgorithm } from './signature-algorithm.ts';
import { readName, type RequestedName } from './subject.ts';

/** What a PKCS #10 request asks for. */
export interface CertificateRequest {
  readonly subject: RequestedName;
  readonly publicKey: RequestedKey;
  readonly extensions: readonly RequestedExtension[];
  /** Whether who asks has the private key: the request is signed by it, in an algorithm that is safe. */
  readonly isSignedByItsKey: boolean;
}

/**
 * Reads a PKCS #10 request (RFC 2986) in DER. What could be read in two ways is not read at all: the API server and
 * kube-controller-manager read it with another library, and must not see something else than what was checked.
 *
 * @throws MalformedDer, UnfitKey
 */
export function readCertificateRequest(der: Buffer): CertificateRequest {
  const fields = fieldsOf(der);
  const signed = fields.readEncoded(tags.sequence);
  const algorithm = readAlgorithm(fields);
  const signature = readOctetAlignedBits(fields);
  fields.end();

  const { information, subject, encodedKey } = readIdentity(signed);
  const publicKey = readPublicKey(encodedKey);
  const extensions = readAttributes(information.enter(contextTag(0, true)));
  information.end();
  const isSignedByItsKey = isSignedBy(publicKey.key, algorithm, signed, signature);
  return { subject, publicKey, extensions, isSignedByItsKey };
}

/**
 * The fingerprint of the key that a request is for, as its `publicKey` has it. Nothing else is looked at: neither whether the key
 * is fit, nor whether it has signed, which take long.
 *
 * @throws MalformedDer
 */
export function requestedFingerprint(der: Buffer): string {
  return fingerprintOfKey(readIdentity(fieldsOf(der).readEncoded(tags.sequence)).encodedKey);
}

function fieldsOf(der: Buffer): DerReader {
  const outer = new DerReader(der);
  const fields = outer.enter(tags.sequence);
  outer.end();
  return fields;
}

/** Who asks; the attributes follow. */
function readIdentity(signed: Buffer): {
  readonly information: DerReader;
  readonly subject: RequestedName;
  readonly encodedKey: Buffer;
} {
  const information = new DerReader(signed).enter(tags.sequence);
  const version = information.read(tags.integer);
  if (version.length !== 1 || version[0] !== 0) throw new MalformedDer('it is not of version 1');
  const subject = readName(information);
  return { information, subject, encodedKey: information.readEncoded(tags.sequence) };
}

/** The requested extensions, the one attribute that a request may have. */
function readAttributes(attributes: DerReader): readonly RequestedExtension[] {
  if (attributes.atEnd) return [];
  const attribute = attributes.enter(tags.sequence);
  attributes.end();
  const type = readObjectIdentifier(attribute);
  if (type !== oids.extensionRequest) throw new MalformedDer(`it has an attribute ${type}`);
  const values = attribute.enter(tags.set);
  attribute.end();
  const extensions = readExtensions(values);
  values.end();
  return extensions;
}
