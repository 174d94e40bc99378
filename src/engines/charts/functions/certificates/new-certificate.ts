import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
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
  GoObject,
  TypedList,
  UnsupportedFunctionError,
  formatValue,
  type Value,
} from '../../../gotemplate/index.ts';
import { certificate, pemBlock, privateKeyOf } from './certificate.ts';
import { intArgument } from '../conversion.ts';

/** The functions that make certificates, with new keys and serial numbers. As sprig's. */
export const newCertificates: Readonly<Record<string, (args: readonly Value[]) => GoObject>> = {
  genCA: ([name, days]) => authority(name, days, newRsaKey(2048)),
  genCAWithKey: ([name, days, key]) => authority(name, days, givenKey(key)),
  genSelfSignedCert: (args) => selfSigned(args, newRsaKey(2048)),
  genSelfSignedCertWithKey: (args) => selfSigned(args, givenKey(args[4])),
  genSignedCert: (args) => signedBy(args, newRsaKey(2048)),
  genSignedCertWithKey: (args) => signedBy(args, givenKey(args[5])),
};

/** Returns a new private key as PEM. As generatePrivateKey of sprig. */
export function newPrivateKey(type: string): string {
  switch (type) {
    case '':
    case 'rsa':
      return keyText(newRsaKey(4096));
    case 'ecdsa':
      return keyText(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    case 'ed25519':
      return keyText(generateKeyPairSync('ed25519').privateKey);
    case 'dsa':
      throw new UnsupportedFunctionError('not supported: Node does not write private keys of DSA');
    default:
      return `Unknown type ${type}`;
  }
}

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
  const made = content(name, addresses, names, days, key);
  const fields = by instanceof GoObject ? by.fields : new Map<string, Value>();
  const signing = privateKeyOf(textArgument(fields.get('Key')));
  return asCertificate(
    made,
    { ...issuerIn(textArgument(fields.get('Cert'))), signer: signerWith(signing) },
    key,
  );
}

function issuerIn(cert: string): Omit<Issuer, 'signer'> {
  const block = pemBlock(cert);
  if (block === undefined) throw new FunctionError('unable to decode certificate');
  try {
    return readAuthorityCertificate(block.bytes);
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    throw new FunctionError(`error parsing certificate: decodedSignerCert.Bytes: x509: ${error.message}`);
  }
}

/** Milliseconds of a day. */
const day = 86_400_000;

function content(name: Value, addresses: Value, names: Value, days: Value, key: KeyObject): TlsCertificate {
  const notBefore = Date.now();
  return {
    subject: { commonName: textArgument(name), organizations: [], organizationalUnits: [] },
    ipAddresses: textsOf(addresses, 'error parsing ip').map(addressOctets),
    dnsNames: textsOf(names, 'error processing alternate dns name'),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }),
    serialNumber: newSerialNumber(),
    notBefore,
    notAfter: notBefore + intArgument(days) * day,
    isAuthority: false,
  };
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

function newRsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey;
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

/** As pemBlockForKey of sprig: PKCS #1 for RSA, SEC 1 for curves, PKCS #8 for other keys. */
function keyText(key: KeyObject): string {
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8';
  return key.export({ type, format: 'pem' }) as string;
}
