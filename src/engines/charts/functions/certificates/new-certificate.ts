import { createPublicKey, randomBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { isMappedIPv4, parseAddress } from '../../../../base/go/network-address.ts';
import { readAuthorityCertificate } from '../../../../base/certificates/authority-certificate.ts';
import {
  keyIdentifier,
  signTlsCertificate,
  type Issuer,
  type TlsCertificate,
} from '../../../../base/certificates/certificate.ts';
import { MalformedDer } from '../../../../base/certificates/der-reader.ts';
import { writePemBlock } from '../../../../base/certificates/pem.ts';
import { signerOf, type KeySigner } from '../../../../base/certificates/signature-algorithm.ts';
import { writeName } from '../../../../base/certificates/subject.ts';
import {
  FunctionError,
  TypedList,
  formatValue,
  quoted,
  type Call,
  type GoObject,
  type Value,
} from '../../../gotemplate/index.ts';
import { certificate, pemBlock, privateKeyOf } from './certificate.ts';
import { keyText, newRsaKey } from './new-private-key.ts';
import { intArgument } from '../conversion.ts';

/** A function that makes a certificate. */
interface CertificateFunction {
  readonly name: string;
  /** As `goFunction`. */
  readonly parameters: string;
  /** Returns a certificate with a new serial number, and a new key unless one is given. */
  readonly make: (args: readonly Value[], call: Call) => GoObject;
}

/** The functions that make certificates. As sprig's. */
export const newCertificates: readonly CertificateFunction[] = [
  {
    name: 'genCA',
    parameters: 'string, int',
    make: ([name, days], call) => authority(name, days, newRsaKey(call)),
  },
  {
    name: 'genCAWithKey',
    parameters: 'string, int, string',
    make: ([name, days, key]) => authority(name, days, givenKey(key)),
  },
  {
    name: 'genSelfSignedCert',
    parameters: 'string, list, list, int',
    make: (args, call) => selfSigned(args, newRsaKey(call)),
  },
  {
    name: 'genSelfSignedCertWithKey',
    parameters: 'string, list, list, int, string',
    make: (args) => selfSigned(args, givenKey(args[4])),
  },
  {
    name: 'genSignedCert',
    parameters: 'string, list, list, int, sprig.certificate',
    make: (args, call) => signedBy(args, newRsaKey(call)),
  },
  {
    name: 'genSignedCertWithKey',
    parameters: 'string, list, list, int, sprig.certificate, string',
    make: (args) => signedBy(args, givenKey(args[5])),
  },
];

function authority(name: Value, days: Value, key: KeyObject): GoObject {
  return signedByItself({ ...content(name, [], [], days, key), isAuthority: true }, key);
}

function selfSigned([name, addresses, names, days]: readonly Value[], key: KeyObject): GoObject {
  return signedByItself(content(name, addresses, names, days, key), key);
}

function signedByItself(made: TlsCertificate, key: KeyObject): GoObject {
  const issuer: Issuer = {
    name: writeName(made.subject),
    keyIdentifier: keyIdentifier(made.publicKey),
    signer: signerWith(key),
  };
  return asCertificate(made, issuer, key);
}

function signedBy([name, addresses, names, days, by]: readonly Value[], key: KeyObject): GoObject {
  const { fields } = by as GoObject;
  const issuer = issuerOf(textArgument(fields.get('Cert')), textArgument(fields.get('Key')));
  return asCertificate(content(name, addresses, names, days, key), issuer, key);
}

function issuerOf(cert: string, key: string): Issuer {
  const block = pemBlock(cert);
  if (block === undefined) throw new FunctionError('unable to decode certificate');
  const { name, keyIdentifier: identifier, isOwnedBy } = readIssuer(block.bytes);
  const signing = privateKeyOf(key);
  const signer = signerWith(signing);
  if (!isOwnedBy(signing))
    throw new FunctionError(
      "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey",
    );
  return { name, keyIdentifier: identifier, signer };
}

function readIssuer(
  der: Buffer,
): Omit<Issuer, 'signer'> & { readonly isOwnedBy: (key: KeyObject) => boolean } {
  try {
    const read = new X509Certificate(der);
    return { ...readAuthorityCertificate(der), isOwnedBy: (key) => read.checkPrivateKey(key) };
  } catch (error) {
    const reason = error instanceof MalformedDer ? error.message : 'malformed certificate';
    throw new FunctionError(`error parsing certificate: decodedSignerCert.Bytes: x509: ${reason}`);
  }
}

/** Nanoseconds of a day. */
const day = 86_400_000_000_000n;

function content(name: Value, addresses: Value, names: Value, days: Value, key: KeyObject): TlsCertificate {
  const notBefore = Date.now();
  return {
    subject: { commonName: textArgument(name), organizations: [], organizationalUnits: [] },
    ipAddresses: textsOf(addresses, 'error parsing ip').map(addressOctets),
    dnsNames: textsOf(names, 'error processing alternate dns name').map(asciiName),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }),
    serialNumber: newSerialNumber(),
    notBefore,
    notAfter: notBefore + validity(intArgument(days)),
    isAuthority: false,
  };
}

/** Returns milliseconds. A time.Duration has 64 bits, so Helm has the same sum for more than 292 years. */
function validity(days: number): number {
  return Number(BigInt.asIntN(64, BigInt(days) * day) / 1_000_000n);
}

function textArgument(value: Value): string {
  return typeof value === 'string' ? value : formatValue(value);
}

/** Returns 16 octets whose first bit is 0, so that the number is positive and has at most 20 octets in any encoding. */
function newSerialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40;
  return octets;
}

function textsOf(list: Value, problem: string): readonly string[] {
  const items =
    list instanceof TypedList ? list.items : Array.isArray(list) ? (list as readonly Value[]) : [];
  return items.map((item) => {
    if (typeof item === 'string') return item;
    throw new FunctionError(`${problem}: ${formatValue(item)} is not a string`);
  });
}

/** Returns the octets of an address: 4 or 16. As Go writes them, also if an IPv4 address is written as one of IPv6. */
function addressOctets(text: string): Buffer {
  const address = parseAddress(text);
  if (address === undefined) throw new FunctionError(`error parsing ip: ${text}`);
  return Buffer.from(isMappedIPv4(address) ? address.slice(12) : address);
}

/** As isIA5String of crypto/x509. */
function asciiName(name: string): string {
  if (/^\p{ASCII}*$/u.test(name)) return name;
  throw new FunctionError(
    `error creating certificate: x509: ${quoted(name)} cannot be encoded as an IA5String`,
  );
}

function givenKey(pem: Value): KeyObject {
  try {
    return privateKeyOf(textArgument(pem));
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new FunctionError(error.message.replace(/^error parsing/, 'parsing'));
  }
}

function signerWith(key: KeyObject): KeySigner {
  const signer = signerOf(key);
  if (signer === undefined)
    throw new FunctionError('error creating certificate: x509: unsupported private key');
  return signer;
}

function asCertificate(made: TlsCertificate, issuer: Issuer, key: KeyObject): GoObject {
  return certificate(writePemBlock(signTlsCertificate(made, issuer), 'CERTIFICATE'), keyText(key));
}
