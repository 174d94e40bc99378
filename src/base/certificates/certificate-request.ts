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
import { fingerprintOfKey } from './public-key.ts';
import { readAlgorithm, type NamedAlgorithm } from './signature-algorithm.ts';
import { readName, type RequestedName } from './subject.ts';

/** The content of a PKCS #10 request. */
export interface CertificateRequest {
  readonly subject: RequestedName;
  /** SubjectPublicKeyInfo in DER. It is not verified yet. */
  readonly publicKey: Buffer;
  readonly extensions: readonly RequestedExtension[];
  readonly signature: RequestSignature;
}

/** The proof that the requester has the private key. */
export interface RequestSignature {
  readonly algorithm: NamedAlgorithm;
  /** The part of the request that is signed. */
  readonly content: Buffer;
  readonly signature: Buffer;
}

/**
 * Reads a PKCS #10 request (RFC 2986) in DER. Rejects a request that could be read in two ways: the API server and
 * kube-controller-manager read it with another library, and must not see something else than the checks saw.
 *
 * Neither the key nor the signature is verified: that takes long, and cheaper checks may reject the request before.
 *
 * @throws MalformedDer
 */
export function readCertificateRequest(der: Buffer): CertificateRequest {
  const fields = fieldsOf(der);
  const content = fields.readEncoded(tags.sequence);
  const algorithm = readAlgorithm(fields);
  const signature = readOctetAlignedBits(fields);
  fields.end();

  const { information, subject, encodedKey } = readIdentity(content);
  const extensions = readAttributes(information.enter(contextTag(0, true)));
  information.end();
  return { subject, publicKey: encodedKey, extensions, signature: { algorithm, content, signature } };
}

/**
 * Returns the fingerprint of the key that a request is for, as `readPublicKey` does. Nothing else is verified.
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

/** Reads the subject and the key; the attributes follow. */
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

/** Returns the requested extensions, the only attribute that a request may have. */
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
