import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { contextTag } from '../../../../../src/base/certificates/der-reader.ts';
import {
  bitString,
  element,
  namedBits,
  nullValue,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  trueValue,
  unsignedInteger,
} from '../../../../../src/base/certificates/der-writer.ts';
import {
  clientAuthentication,
  clientKeyUsage,
  dnsNames,
  extension,
} from '../../../../../src/base/certificates/extensions.ts';
import { oids } from '../../../../../src/base/certificates/object-identifiers.ts';
import { newKey } from '../../../../base/certificates/forged-request.ts';
import { publicPart } from '../entitled-request.ts';
import { Forger, generalName, type TableRequest, type Target } from './hostile-request.ts';

/** Alternative names, and extensions that no certificate of a client has. */
export function extensions(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const { dnsName, user } = forger;
  const alternative: Readonly<Record<string, readonly Buffer[]>> = {
    'the API server': [generalName(2, 'kubernetes.default.svc')],
    'a wildcard': [generalName(2, '*')],
    'a wildcard of its domain': [generalName(2, '*.addon.open-cluster-management.io')],
    'its name in capitals': [generalName(2, dnsName.toUpperCase())],
    'its name with a dot behind it': [generalName(2, `${dnsName}.`)],
    'its name with a NUL': [generalName(2, `${dnsName}\0`)],
    'its name with a space': [generalName(2, `${dnsName} `)],
    'its name and another': [generalName(2, dnsName), generalName(2, 'localhost')],
    'its name twice': [generalName(2, dnsName), generalName(2, dnsName)],
    'a name that begins like it': [generalName(2, `${dnsName}.example.com`)],
    'a name that ends like it': [generalName(2, `evil-${dnsName}`)],
    'an international name': [generalName(2, 'xn--80ak6aa92e.com')],
    'an empty name': [generalName(2, '')],
    'an address of four octets': [generalName(7, Buffer.from([10, 96, 0, 1]))],
    'an address of sixteen octets': [generalName(7, Buffer.alloc(16, 0))],
    'an email address': [generalName(1, 'admin@example.com')],
    'a URI': [generalName(6, 'spiffe://cluster.local/ns/kube-system/sa/admin')],
    'a directory name': [generalName(4, sequence(), true)],
    'a registered id': [generalName(8, Buffer.from([42, 3]))],
    'a principal of Windows': [
      generalName(
        0,
        Buffer.concat([
          objectIdentifier('1.3.6.1.4.1.311.20.2.3'),
          element(contextTag(0, true), element(0x0c, Buffer.from(user))),
        ]),
        true,
      ),
    ],
    none: [],
  };
  const bits = {
    'content commitment': 1,
    'data encipherment': 3,
    'key agreement': 4,
    'certificate signing': 5,
    'signing of revocations': 6,
    'encipherment only': 7,
    'decipherment only': 8,
  };
  const purposes: Readonly<Record<string, string>> = {
    servers: '1.3.6.1.5.5.7.3.1',
    code: '1.3.6.1.5.5.7.3.3',
    email: '1.3.6.1.5.5.7.3.4',
    'time stamps': '1.3.6.1.5.5.7.3.8',
    'answers of OCSP': '1.3.6.1.5.5.7.3.9',
    'smart cards': '1.3.6.1.4.1.311.20.2.2',
    anything: oids.anyExtendedKeyUsage,
  };
  const others: Readonly<Record<string, string>> = {
    'an identifier of a key': oids.subjectKeyIdentifier,
    'an identifier of an authority': oids.authorityKeyIdentifier,
    'names of the issuer': '2.5.29.18',
    'constraints of names': '2.5.29.30',
    'points of revocation': '2.5.29.31',
    policies: '2.5.29.32',
    'constraints of policies': '2.5.29.36',
    'access to the authority': '1.3.6.1.5.5.7.1.1',
    "Netscape's type": '2.16.840.1.113730.1.1',
    "Microsoft's template": '1.3.6.1.4.1.311.20.2',
    'what OCSP must be stapled to': '1.3.6.1.5.5.7.1.24',
    "Kubernetes' own": '1.3.6.1.4.1.57683.1',
    'nobody knows': '1.2.3.4',
  };
  const refused = (
    name: string,
    spec: { readonly request: string },
    refusedBy: TableRequest['refusedBy'] = 'extensions',
  ): TableRequest => ({ name, spec, refusedBy });
  return [
    ...Object.entries(alternative).map(([name, names]): TableRequest => ({
      name: `an alternative name: ${name}`,
      spec: forger.alternatively(...names),
      refusedBy: 'alternative-names',
    })),
    ...Object.entries(bits).map(([name, bit]) =>
      refused(`a key usage: ${name}`, forger.extended(extension(oids.keyUsage, namedBits([0, bit])))),
    ),
    ...Object.entries(purposes).flatMap(([name, type]) => [
      refused(
        `a purpose: ${name}`,
        forger.extended(extension(oids.extendedKeyUsage, sequence(objectIdentifier(type)))),
      ),
      refused(
        `a purpose beside clients: ${name}`,
        forger.extended(
          extension(
            oids.extendedKeyUsage,
            sequence(objectIdentifier(oids.clientAuth), objectIdentifier(type)),
          ),
        ),
      ),
    ]),
    ...Object.entries(others).flatMap(([name, type]) =>
      [false, true].map((critical) =>
        refused(
          `an extension${critical ? ' that is critical' : ''}: ${name}`,
          forger.extended(extension(type, sequence(), { critical })),
        ),
      ),
    ),
    refused('an authority', forger.extended(extension(oids.basicConstraints, sequence(trueValue())))),
    refused(
      'an authority, critical',
      forger.extended(extension(oids.basicConstraints, sequence(trueValue()), { critical: true })),
    ),
    refused(
      'an authority with a path',
      forger.extended(
        extension(oids.basicConstraints, sequence(trueValue(), unsignedInteger(Buffer.from([3])))),
      ),
    ),
    refused(
      'a path without an authority',
      forger.extended(extension(oids.basicConstraints, sequence(unsignedInteger(Buffer.from([3]))))),
    ),
    refused(
      'an authority in another encoding of true',
      forger.extended(extension(oids.basicConstraints, sequence(element(0x01, Buffer.from([0x01]))))),
    ),
    refused(
      'no authority, written out',
      forger.extended(extension(oids.basicConstraints, sequence(element(0x01, Buffer.from([0x00]))))),
    ),
    refused(
      'constraints with bytes behind them',
      forger.extended(extension(oids.basicConstraints, Buffer.concat([sequence(), nullValue()]))),
    ),
    refused('no purpose', forger.extended(extension(oids.extendedKeyUsage, sequence()))),
    refused(
      'a key usage that is no bit string',
      forger.extended(extension(oids.keyUsage, octetString(Buffer.from([0x80])))),
    ),
    refused(
      'a key usage of two octets',
      forger.extended(extension(oids.keyUsage, element(0x03, Buffer.from([0, 0x80, 0x80])))),
    ),
    {
      name: 'an alternative name that is no sequence',
      spec: forger.with({
        extensions: [extension(oids.subjectAlternativeName, octetString(Buffer.from(dnsName)))],
      }),
      refusedBy: 'extensions',
      onHub: 'not taken',
    },
    {
      name: 'two extensions of alternative names',
      spec: forger.extended(forger.alternativeName),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'an extension that is critical in another encoding of true',
      spec: forger.with({
        extensions: [
          sequence(
            objectIdentifier(oids.basicConstraints),
            element(0x01, Buffer.from([0x01])),
            octetString(sequence()),
          ),
        ],
      }),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    refused(
      'an alternative name that is critical',
      forger.with({
        extensions: [extension(oids.subjectAlternativeName, dnsNames([dnsName]), { critical: true })],
      }),
      'none',
    ),
    refused('no extension', forger.with({ extensions: [] }), 'none'),
    refused(
      'all that a client has',
      forger.extended(
        extension(oids.basicConstraints, sequence(), { critical: true }),
        extension(oids.keyUsage, clientKeyUsage(), { critical: true }),
        extension(oids.extendedKeyUsage, clientAuthentication()),
      ),
      'none',
    ),
    ...attributes(forger),
  ];
}

/** Attributes of a PKCS #10 request beside its extensions. */
function attributes(forger: Forger): readonly TableRequest[] {
  const of = (type: string, ...values: readonly Buffer[]): Buffer =>
    sequence(objectIdentifier(type), setOf(values));
  const requested = of(oids.extensionRequest, sequence(forger.alternativeName));
  const authority = of(
    oids.extensionRequest,
    sequence(extension(oids.basicConstraints, sequence(trueValue()))),
  );
  const text = element(0x0c, Buffer.from('a'));
  const lists: Readonly<Record<string, readonly Buffer[]>> = {
    'a challenge password': [requested, of('1.2.840.113549.1.9.7', text)],
    'an unstructured name': [of('1.2.840.113549.1.9.2', text), requested],
    "Microsoft's extensions": [
      of('1.3.6.1.4.1.311.2.1.14', sequence(extension(oids.basicConstraints, sequence(trueValue())))),
    ],
    "Microsoft's extensions beside its own": [
      requested,
      of('1.3.6.1.4.1.311.2.1.14', sequence(extension(oids.basicConstraints, sequence(trueValue())))),
    ],
    'its extensions twice': [requested, requested],
    'its extensions and others': [requested, authority],
    'others and its extensions': [authority, requested],
    'two lists of extensions in one attribute': [
      of(oids.extensionRequest, sequence(forger.alternativeName), sequence()),
    ],
  };
  const notTaken = new Set(['its extensions twice']);
  return Object.entries(lists).map(([name, attributes]) => ({
    name: `an attribute: ${name}`,
    spec: forger.with({ attributes }),
    refusedBy: 'encoding',
    ...(notTaken.has(name) && { onHub: 'not taken' as const }),
  }));
}

function spki(type: string, bits: Buffer, ...parameters: readonly Buffer[]): Buffer {
  return sequence(sequence(objectIdentifier(type), ...parameters), bitString(bits));
}

function rsa(modulus: Buffer, exponent: Buffer): Buffer {
  return spki(oids.rsaEncryption, sequence(unsignedInteger(modulus), unsignedInteger(exponent)), nullValue());
}

/** Keys that certificates are not made for, and signatures that are not by the key. */
export function keysAndSignatures(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const point = publicPart().subarray(-64);
  const onP256 = (bits: Buffer): Buffer => spki(oids.ecPublicKey, bits, objectIdentifier(oids.p256));
  const generated = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const modulus = Buffer.from(generated.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
  const odd = Buffer.from([1, 0, 1]);
  // The API server verifies the signature with the Go library, which takes none of these keys.
  const publicKeys: Readonly<Record<string, Buffer>> = {
    'an RSA modulus of 512 bits': rsa(Buffer.alloc(64, 0xff), odd),
    'an RSA modulus of 2047 bits': rsa(Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(255, 0xff)]), odd),
    'an RSA modulus of 16384 bits': rsa(Buffer.alloc(2048, 0xff), odd),
    'an RSA exponent of 1': rsa(modulus, Buffer.from([1])),
    'an RSA exponent of 2': rsa(modulus, Buffer.from([2])),
    'an even RSA exponent': rsa(modulus, Buffer.from([1, 0, 0])),
    'a huge RSA exponent': rsa(modulus, Buffer.alloc(32, 0xff)),
    'an RSA key without parameters': spki(
      oids.rsaEncryption,
      sequence(unsignedInteger(modulus), unsignedInteger(odd)),
    ),
    'an RSA key for PSS': spki(
      '1.2.840.113549.1.1.10',
      sequence(unsignedInteger(modulus), unsignedInteger(odd)),
    ),
    'a negative RSA modulus': spki(
      oids.rsaEncryption,
      sequence(element(0x02, modulus), unsignedInteger(odd)),
      nullValue(),
    ),
    'a compressed point': onP256(Buffer.concat([Buffer.from([2]), point.subarray(0, 32)])),
    'a hybrid point': onP256(Buffer.concat([Buffer.from([6]), point])),
    'the point at infinity': onP256(Buffer.from([0])),
    'a point beside the curve': onP256(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)])),
    'a point that is too large': onP256(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 0xff)])),
    'a point that is too short': onP256(Buffer.concat([Buffer.from([4]), point.subarray(1)])),
    'a point that is too long': onP256(Buffer.concat([Buffer.from([4]), point, Buffer.from([0])])),
    'a point on another curve than it says': spki(
      oids.ecPublicKey,
      Buffer.concat([Buffer.from([4]), point]),
      objectIdentifier(oids.p384),
    ),
    'a curve without a name': spki(oids.ecPublicKey, Buffer.concat([Buffer.from([4]), point]), sequence()),
    'a curve of Brainpool': spki(
      oids.ecPublicKey,
      Buffer.concat([Buffer.from([4]), point]),
      objectIdentifier('1.3.36.3.3.2.8.1.1.7'),
    ),
    'a curve of SM2': spki(
      oids.ecPublicKey,
      Buffer.concat([Buffer.from([4]), point]),
      objectIdentifier('1.2.156.10197.1.301'),
    ),
    'an Ed25519 key of 31 octets': spki(oids.ed25519, Buffer.alloc(31, 9)),
    'an Ed25519 key of 33 octets': spki(oids.ed25519, Buffer.alloc(33, 9)),
    'an Ed25519 key that is zero': spki(oids.ed25519, Buffer.alloc(32, 0)),
    'an Ed25519 key that is one': spki(oids.ed25519, Buffer.concat([Buffer.from([1]), Buffer.alloc(31)])),
    'an X25519 key': spki('1.3.101.110', Buffer.alloc(32, 9)),
    'an Ed448 key': spki('1.3.101.113', Buffer.alloc(57, 9)),
    'a DSA key': spki('1.2.840.10040.4.1', unsignedInteger(Buffer.from([5])), sequence()),
    'a key of ML-DSA': spki('2.16.840.1.101.3.4.3.17', Buffer.alloc(1312, 9)),
    'a key of a type nobody knows': spki('1.2.3.4', Buffer.alloc(32, 9)),
  };
  const privateKeys: Readonly<Record<string, () => KeyObject>> = {
    'RSA of 1024 bits': () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
    'RSA of 2040 bits': () => generateKeyPairSync('rsa', { modulusLength: 2040 }).privateKey,
    'RSA with the exponent 3': () =>
      generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).privateKey,
    'P-224': () => newKey('P-224'),
  };
  const key = newKey();
  const other = publicPart();
  const signature = (change: (signed: Buffer) => Buffer): { readonly request: string } =>
    forger.with({ key, sign: (content) => change(sign('sha256', content, key)) });
  const algorithm = (type: string, ...parameters: readonly Buffer[]): { readonly request: string } =>
    forger.with({ key, algorithm: sequence(objectIdentifier(type), ...parameters) });
  const signatures: Readonly<Record<string, { readonly request: string }>> = {
    'of another key': forger.with({ publicKey: other }),
    'of nothing': signature(() => Buffer.alloc(0)),
    'of zeros': signature(() =>
      sequence(unsignedInteger(Buffer.from([0])), unsignedInteger(Buffer.from([0]))),
    ),
    'of other content': forger.with({ key, sign: () => sign('sha256', Buffer.from('a'), key) }),
    'that is cut': signature((signed) => signed.subarray(0, -1)),
    'with a byte behind it': signature((signed) => Buffer.concat([signed, Buffer.from([0])])),
    'with a changed bit': signature((signed) =>
      Buffer.from(signed.map((octet, index) => (index === signed.length - 1 ? octet ^ 1 : octet))),
    ),
    'in the form of a pair': forger.with({
      key,
      sign: (content) => sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' }),
    }),
    'of the wrong digest': forger.with({ key, sign: (content) => sign('sha384', content, key) }),
    'with SHA-1': forger.with({
      key,
      algorithm: sequence(objectIdentifier('1.2.840.10045.4.1')),
      sign: (content) => sign('sha1', content, key),
    }),
    'with the algorithm of RSA': algorithm('1.2.840.113549.1.1.11', nullValue()),
    'with the algorithm of Ed25519': algorithm(oids.ed25519),
    'with an algorithm nobody knows': algorithm('1.2.3.4'),
    'with parameters': algorithm('1.2.840.10045.4.3.2', nullValue()),
    'of RSA with MD5': forger.with({
      key: generated.privateKey,
      algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.4'), nullValue()),
      sign: (content) => sign('md5', content, generated.privateKey),
    }),
    'of RSA with SHA-1': forger.with({
      key: generated.privateKey,
      algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.5'), nullValue()),
      sign: (content) => sign('sha1', content, generated.privateKey),
    }),
    'of RSA without parameters': forger.with({
      key: generated.privateKey,
      algorithm: sequence(objectIdentifier('1.2.840.113549.1.1.11')),
    }),
  };
  const takenSignatures = new Set([
    'with parameters',
    'with SHA-1',
    'of RSA with SHA-1',
    'of RSA without parameters',
  ]);
  return [
    ...Object.entries(publicKeys).map(([name, publicKey]): TableRequest => ({
      name: `a key: ${name}`,
      spec: forger.with({ publicKey }),
      refusedBy: 'key',
      onHub: 'not taken',
    })),
    ...Object.entries(privateKeys).map(([name, make]): TableRequest => ({
      name: `a key that signs: ${name}`,
      spec: forger.with({ key: make() }),
      refusedBy: 'key',
    })),
    {
      name: 'a key: an Ed25519 key with parameters',
      spec: forger.with({ publicKey: spki(oids.ed25519, Buffer.alloc(32, 9), nullValue()) }),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a key that signs: on secp256k1',
      spec: forger.with({ key: newKey('secp256k1') }),
      refusedBy: 'key',
      onHub: 'not taken',
    },
    ...Object.entries(signatures).map(([name, spec]): TableRequest => ({
      name: `a signature ${name}`,
      spec,
      refusedBy: 'signature',
      ...(!takenSignatures.has(name) && { onHub: 'not taken' as const }),
    })),
    {
      name: 'a signature with SHA-512 on P-256',
      spec: forger.with({
        key,
        algorithm: sequence(objectIdentifier('1.2.840.10045.4.3.4')),
        sign: (content) => sign('sha512', content, key),
      }),
      refusedBy: 'none',
    },
    { name: 'a good key of RSA', spec: forger.with({ key: generated.privateKey }), refusedBy: 'none' },
    {
      name: 'a good key of Ed25519',
      spec: forger.with({ key: generateKeyPairSync('ed25519').privateKey }),
      refusedBy: 'none',
    },
  ];
}

/** PEM and DER that another reader might read in another way. */
export function encodings(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const pem: Readonly<Record<string, (pem: string) => string>> = {
    'with a carriage return in each line': (text) => text.replaceAll('\n', '\r\n'),
    'with a byte order mark': (text) => `\u00ef\u00bb\u00bf${text}`,
    'with a space before it': (text) => ` ${text}`,
    'with a line before it': (text) => `\n${text}`,
    'with text before it': (text) => `a\n${text}`,
    'with text behind it': (text) => `${text}a`,
    'with two lines behind it': (text) => `${text}\n`,
    'with a NUL behind it': (text) => `${text}\0`,
    'with spaces behind its lines': (text) => text.replaceAll('\n', ' \n'),
    'with a tab in a line': (text) => text.replace(/(.{20})\n/, '$1\t\n'),
    'with a header': (text) => text.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n'),
    twice: (text) => text + text,
    'with a certificate behind it': (text) =>
      `${text}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    'with a certificate before it': (text) =>
      `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${text}`,
    'with padding in the middle': (text) => text.replace(/\n(.{10})/, '\n$1=='),
  };
  const notTakenPem: Readonly<Record<string, (pem: string) => string>> = {
    'of a new request': (text) => text.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'),
    'of a certificate': (text) => text.replaceAll(' REQUEST', ''),
    'in small letters': (text) => text.replaceAll(/CERTIFICATE REQUEST/g, 'certificate request'),
    'with different ends': (text) => text.replace('END CERTIFICATE REQUEST', 'END CERTIFICATE'),
    'without its end': (text) => text.replace(/-----END[^]*/, ''),
    'without its beginning': (text) => text.replace(/-----BEGIN[^\n]*\n/, ''),
    'in one line': (text) => text.replaceAll('\n', ''),
    'with four dashes': (text) => text.replaceAll('-----', '----'),
    // Not every request has a character that differs between the alphabets.
    'with another alphabet': (text) => text.replace(/\n./, '\n-').replaceAll(/[+/]/g, '-'),
    'without anything in it': (text) => text.replace(/\n[^]*\n(?=-----END)/, '\n'),
    'that is DER': () => forger.der().toString('latin1'),
    'that is JSON': () => '{"request":true}',
    'that is empty': () => '',
  };
  const grow = (der: Buffer): Buffer => sequence(der.subarray(4), nullValue());
  const der: Readonly<Record<string, (der: Buffer) => Buffer>> = {
    'with bytes behind it': (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
    'with a further field': grow,
    'of indefinite length': (bytes) =>
      Buffer.concat([Buffer.from([0x30, 0x80]), bytes.subarray(4), Buffer.from([0, 0])]),
    'with a length that is too long': (bytes) =>
      Buffer.concat([Buffer.from([0x30, 0x83, 0]), bytes.subarray(2)]),
    'with a length beyond its end': (bytes) =>
      Buffer.concat([Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]), bytes.subarray(4)]),
    'with a set outside': (bytes) => Buffer.concat([Buffer.from([0x31]), bytes.subarray(1)]),
    'that is cut': (bytes) => bytes.subarray(0, -10),
    'that is its first half': (bytes) => bytes.subarray(0, bytes.length / 2),
    'of one byte': () => Buffer.from([0x30]),
    'of zeros': () => Buffer.alloc(500),
    'of ones': () => Buffer.alloc(500, 0xff),
    'that is nested a thousand times': () => {
      let nested = nullValue();
      for (let depth = 0; depth < 1000; depth += 1) nested = sequence(nested);
      return nested;
    },
  };
  const notTaken = 'not taken' as const;
  const startsOtherwise = new Set([
    'with a byte order mark',
    'with a space before it',
    'with a certificate before it',
    'with padding in the middle',
  ]);
  return [
    ...Object.entries(pem).map(([name, change]): TableRequest => ({
      name: `a PEM block ${name}`,
      spec: forger.inPem(change),
      refusedBy: 'encoding',
      ...(startsOtherwise.has(name) && { onHub: notTaken }),
    })),
    ...Object.entries(notTakenPem).map(([name, change]): TableRequest => ({
      name: `a PEM block ${name}`,
      spec: forger.inPem(change),
      refusedBy: 'encoding',
      onHub: notTaken,
    })),
    ...Object.entries(der).map(([name, change]): TableRequest => ({
      name: `DER ${name}`,
      spec: forger.inDer(change),
      refusedBy: 'encoding',
      // Go ignores what follows the last field that it knows.
      ...(name !== 'with a further field' && { onHub: notTaken }),
    })),
    ...[1, 2, 3].map((version): TableRequest => ({
      name: `of the version ${version + 1}`,
      spec: forger.with({ version }),
      refusedBy: 'encoding',
    })),
    { name: 'of 17 KiB', spec: forger.inPem((text) => text + '\n'.repeat(17_000)), refusedBy: 'size' },
    { name: 'with a subject of 17 KiB', spec: forger.calling('a'.repeat(17_000)), refusedBy: 'size' },
    {
      name: 'without a line feed at its end',
      spec: forger.inPem((text) => text.trimEnd()),
      refusedBy: 'none',
    },
    {
      name: 'in lines of 76 characters',
      spec: forger.inPem((text) =>
        text.replace(
          /\n([^]*)\n-----END/,
          (_, body: string) => `\n${body.replaceAll('\n', '').replaceAll(/(.{76})/g, '$1\n')}\n-----END`,
        ),
      ),
      refusedBy: 'none',
    },
  ];
}
