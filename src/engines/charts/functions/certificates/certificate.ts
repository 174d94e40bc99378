import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import {
  FunctionError,
  GoObject,
  goFunction,
  textOf,
  UnsupportedFunctionError,
  type Call,
  type GoFunction,
  type Value,
} from '../../../gotemplate/index.ts';
import { decodeBase64 } from '../encodings.ts';
import { isSampleContent } from '../sample-texts.ts';

/** Functions that check keys. */
export const certificateFunctions: Readonly<Record<string, GoFunction>> = {
  buildCustomCert: goFunction('string, string -> sprig.certificate', ([cert, key], call) =>
    customCertificate(cert as string, key as string, call),
  ),
};

function customCertificate(cert64: string, key64: string, call: Call): GoObject {
  const cert = decodeBase64(cert64);
  if (cert instanceof FunctionError) throw new FunctionError('unable to decode base64 certificate');
  const key = decodeBase64(key64);
  if (key instanceof FunctionError) throw new FunctionError('unable to decode base64 private key');
  const block = pemBlock(textOf(cert));
  if (block === undefined) throw new FunctionError('unable to decode certificate');
  if (call.sample !== undefined && isSampleContent(block.bytes))
    return certificate(textOf(cert), textOf(key));
  try {
    new X509Certificate(block.bytes);
  } catch {
    throw new FunctionError('error parsing certificate: decodedCert.Bytes: x509: malformed certificate');
  }
  privateKeyOf(textOf(key));
  return certificate(textOf(cert), textOf(key));
}

/** Returns a certificate and its key, both as PEM, as sprig's functions do. */
export function certificate(cert: string, key: string): GoObject {
  const fields = new Map<string, Value>([
    ['Cert', cert],
    ['Key', key],
  ]);
  return new GoObject('sprig.certificate', { fields, contentKey: JSON.stringify([...fields.values()]) });
}

/** Returns the first block of a PEM text. */
export function pemBlock(text: string): { readonly type: string; readonly bytes: Buffer } | undefined {
  const match = /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t\r]*$/m.exec(
    text,
  );
  if (match === null) return undefined;
  return { type: match[1] ?? '', bytes: Buffer.from(match[2] ?? '', 'base64') };
}

const keyFormats: Readonly<
  Record<string, { readonly type: 'pkcs1' | 'pkcs8' | 'sec1'; readonly problem: string }>
> = {
  'PRIVATE KEY': { type: 'pkcs8', problem: 'decoding PEM as PKCS#8' },
  'RSA PRIVATE KEY': { type: 'pkcs1', problem: 'parsing RSA private key from PEM' },
  'EC PRIVATE KEY': { type: 'sec1', problem: 'parsing EC private key from PEM' },
};

/**
 * Reads a private key in PEM, as parsePrivateKeyPEM of sprig.
 *
 * @throws {FunctionError} for a text that is no private key
 */
export function privateKeyOf(text: string): KeyObject {
  const invalid = (problem: string): FunctionError =>
    new FunctionError(`error parsing private key: ${problem}`);
  const block = pemBlock(text);
  if (block === undefined) throw invalid('no PEM data in input');
  if (block.type !== 'PRIVATE KEY' && !block.type.endsWith(' PRIVATE KEY'))
    throw invalid(`no private key data in PEM block of type ${block.type}`);
  if (block.type === 'DSA PRIVATE KEY')
    throw new UnsupportedFunctionError('not supported: Node does not read private keys of DSA');
  const format = keyFormats[block.type];
  if (format === undefined)
    throw invalid(`invalid private key type ${block.type.slice(0, -' PRIVATE KEY'.length)}`);
  try {
    return createPrivateKey({ key: block.bytes, format: 'der', type: format.type });
  } catch {
    throw invalid(`${format.problem}: malformed key`);
  }
}
