import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { contextTag, tags } from '../../../../src/base/certificates/der-reader.ts';
import {
  bitString,
  element,
  namedBits,
  nullValue,
  objectIdentifier,
  sequence,
  setOf,
  trueValue,
  unsignedInteger,
} from '../../../../src/base/certificates/der-writer.ts';
import {
  clientAuthentication,
  clientKeyUsage,
  extension,
} from '../../../../src/base/certificates/extensions.ts';
import { newCertificateRequest } from '../../../../src/base/certificates/new-certificate-request.ts';
import { oids } from '../../../../src/base/certificates/object-identifiers.ts';
import type { Registration } from '../../../../src/controller/add-on/registration.ts';
import { defaultLimits, type HubFacts, type Limits } from '../../../../src/controller/hub/approval/facts.ts';
import {
  judge,
  judgeEntitlement,
  type ContentLookup,
} from '../../../../src/controller/hub/approval/judge.ts';
import { attribute, forge, inBase64, newKey } from '../../../base/certificates/forged-request.ts';
import {
  alternativeName,
  dnsName,
  forged,
  forgedForOwnSigner,
  groups,
  hub,
  ownGroup,
  publicPart,
  registrations,
  request,
  subject,
  user,
} from './entitled-request.ts';
import { verdictOn } from './verdict-on.ts';
import { addOnNameLabel, clusterNameLabel } from '../../../../src/ocm/labels.ts';

/** The verdict about a request: `approved`, or the check that it fails and why. */
async function judged(
  asked: Parameters<typeof verdictOn>[0],
  facts: Partial<HubFacts> = {},
  limits: Partial<Limits> = {},
): Promise<string> {
  const verdict = await verdictOn(asked, { ...hub, ...facts }, { ...defaultLimits, ...limits });
  return verdict.approved ? 'approved' : `${verdict.refusal.check}: ${verdict.refusal.message}`;
}

/** With another subject, or other parts of the PKCS #10 request. */
const asking = async (parts: Parameters<typeof forged>[0]): Promise<string> =>
  await judged(request({ spec: { request: forged(parts) } }));

/** What a hub with one registration knows. */
function registering(registration: Registration): Partial<HubFacts> {
  return {
    declared: [registration],
    addOn: { metadata: { name: 'hello' }, status: { registrations: [registration] } },
  };
}

describe('a request is approved', () => {
  test('when it is as OCM’s agent makes it', async () => {
    const verdict = await verdictOn(request({ spec: { expirationSeconds: 3600 } }), hub, defaultLimits);
    expect(verdict).toEqual({
      approved: true,
      grant: {
        cluster: 'cluster1',
        addOn: 'hello',
        signerName: 'kubernetes.io/kube-apiserver-client',
        subject: { commonName: user, organizations: groups, organizationalUnits: [] },
        dnsNames: [dnsName],
        publicKey: expect.any(Buffer) as unknown,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        expirationSeconds: 3600,
      },
    });
  });

  test('for a signer of the add-on’s own, with its units', async () => {
    const parts = {
      name: [
        [attribute(oids.organization, 'readers')],
        [attribute(oids.organizationalUnit, 'edge')],
        [attribute(oids.commonName, 'hello')],
      ],
    };
    expect(await judged(request({ spec: { signerName: 'example.com/hello', request: forged(parts) } }))).toBe(
      'approved',
    );
  });

  test('without an alternative name, and without key encipherment', async () => {
    const spec = {
      request: inBase64(forge({ name: subject })),
      usages: ['client auth', 'digital signature'],
    };
    expect(await judged(request({ spec }))).toBe('approved');
  });

  test('with groups in any order, together or one by one', async () => {
    const [first = '', second = ''] = groups;
    const entries = [second, first].map((group) => [attribute(oids.organization, group)]);
    expect(await asking({ name: [[attribute(oids.commonName, user)], ...entries] })).toBe('approved');
  });

  test('with the group of all users if hubs before 1.3 register it', async () => {
    const withAll = [...groups, 'system:authenticated'];
    const signerName = 'kubernetes.io/kube-apiserver-client';
    const name = [
      withAll.map((group) => attribute(oids.organization, group)),
      [attribute(oids.commonName, user)],
    ];
    const facts = registering({ signerName, subject: { user, groups: withAll } });
    expect(await judged(request({ spec: { request: forged({ name }) } }), facts)).toBe('approved');
  });

  test('with the default user and group of OCM’s agent if a registration omits them', async () => {
    const name = [
      [attribute(oids.organization, ownGroup)],
      [attribute(oids.commonName, `${ownGroup}:agent:x7f2q`)],
    ];
    const facts = registering({ signerName: 'kubernetes.io/kube-apiserver-client' });
    expect(await judged(request({ spec: { request: forged({ name }) } }), facts)).toBe('approved');
  });

  test.each([
    ['P-256', () => newKey('P-256')],
    ['P-384', () => newKey('P-384')],
    ['P-521', () => newKey('P-521')],
    ['RSA 2048', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['RSA 4096', () => generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey],
    ['Ed25519', () => generateKeyPairSync('ed25519').privateKey],
  ])('with a key of the type %s', async (_, makeKey) => {
    const pem = newCertificateRequest(makeKey(), {
      subject: { commonName: user, organizations: groups, organizationalUnits: [] },
      dnsNames: [dnsName],
    });
    expect(await judged(request({ spec: { request: Buffer.from(pem).toString('base64') } }))).toBe(
      'approved',
    );
  });

  test('with extensions that only describe a client certificate', async () => {
    const extensions = [
      alternativeName,
      extension(oids.basicConstraints, sequence(), { critical: true }),
      extension(oids.keyUsage, clientKeyUsage(), { critical: true }),
      extension(oids.extendedKeyUsage, clientAuthentication()),
    ];
    expect(await asking({ extensions })).toBe('approved');
  });

  test('from the gRPC server for an agent of the cluster, if that is allowed', async () => {
    const asked = request({
      spec: {
        username: 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa',
        groups: ['system:serviceaccounts'],
      },
      metadata: {
        annotations: { 'open-cluster-management.io/csr-user': 'system:open-cluster-management:cluster1:a' },
      },
    });
    expect(await judged(asked, {}, { grpcServer: true })).toBe('approved');
    expect(await judged(asked)).toBe(
      'requester: requested by "system:serviceaccount:open-cluster-management-hub:grpc-server-sa", which is not the registration agent of cluster1',
    );
  });

  test('when a long name was cut by the API server that generated it', async () => {
    const cluster = 'c'.repeat(63);
    const own = `system:open-cluster-management:cluster:${cluster}:addon:hello`;
    const asked = request({
      metadata: {
        name: `addon-${'c'.repeat(52)}x7k2p`,
        labels: { [clusterNameLabel]: cluster, [addOnNameLabel]: 'hello' },
      },
      spec: {
        request: forged({
          name: [[attribute(oids.organization, own)], [attribute(oids.commonName, `${own}:agent:a`)]],
        }),
        username: `system:open-cluster-management:${cluster}:a`,
        groups: [`system:open-cluster-management:${cluster}`],
      },
    });
    expect(await judged(asked, registering({ signerName: 'kubernetes.io/kube-apiserver-client' }))).toBe(
      'approved',
    );
  });
});

describe('labels, name and signer', () => {
  test.each([
    ['no labels', { labels: {} }],
    ['only the cluster', { labels: { [clusterNameLabel]: 'cluster1' } }],
    ['an empty add-on', { labels: { [clusterNameLabel]: 'cluster1', [addOnNameLabel]: '' } }],
  ])('%s', async (_, metadata) => {
    expect(await judged(request({ metadata }))).toBe(
      `labels: it does not have both labels ${clusterNameLabel} and ${addOnNameLabel}`,
    );
  });

  test.each([
    'x7k2p',
    'addon-cluster1-hello-',
    'addon-cluster1-hello-a.b',
    'addon-cluster1-x7k2p',
    'addon-cluster10-hello-x7k2p',
    'xaddon-cluster1-hello-x7k2p',
  ])('the name %s', async (name) => {
    expect(await judged(request({ metadata: { name } }))).toBe(
      'name: its name is not addon-cluster1-hello- followed by letters and digits',
    );
  });

  test.each([
    'kubernetes.io/kube-apiserver-client-kubelet',
    'kubernetes.io/kubelet-serving',
    'kubernetes.io/legacy-unknown',
    'signers.k8s.io/other',
  ])('the signer %s, registered or not', async (signerName) => {
    const facts = registering({ signerName, subject: { user, groups } });
    expect(await judged(request({ spec: { signerName } }), facts)).toBe(
      `signer: the signer "${signerName}" is not for add-ons`,
    );
  });

  test('a signer that is not registered', async () => {
    expect(await judged(request({ spec: { signerName: 'example.com/other' } }))).toBe(
      'signer: it registers nothing with the signer "example.com/other"',
    );
  });
});

describe('the cluster and the add-on', () => {
  const deletionTimestamp = '2026-11-21T10:00:00Z';
  test.each([
    ['no cluster', { cluster: undefined }, 'cluster: there is no cluster "cluster1"'],
    [
      'a cluster that is deleted',
      { cluster: { metadata: { name: 'cluster1', deletionTimestamp }, spec: { hubAcceptsClient: true } } },
      'cluster: the cluster cluster1 is being deleted',
    ],
    [
      'a cluster that is not accepted',
      { cluster: { metadata: { name: 'cluster1' }, spec: { hubAcceptsClient: false } } },
      'cluster: the hub does not accept the cluster cluster1',
    ],
    [
      'a cluster that never was accepted',
      { cluster: { metadata: { name: 'cluster1' } } },
      'cluster: the hub does not accept the cluster cluster1',
    ],
    ['no add-on', { addOn: undefined }, 'add-on: there is no add-on "hello" on cluster1'],
    [
      'an add-on that is deleted',
      { addOn: { metadata: { name: 'hello', deletionTimestamp }, status: { registrations } } },
      'add-on: hello on cluster1 is being deleted',
    ],
  ] satisfies [string, Partial<HubFacts>, string][])('%s', async (_, facts, message) => {
    expect(await judged(request(), facts)).toBe(message);
  });
});

describe('a cluster that was created again under its name', () => {
  const created = '2026-11-21T10:00:00Z';
  const cluster = {
    metadata: { name: 'cluster1', creationTimestamp: created },
    spec: { hubAcceptsClient: true },
  };
  const judgedAt = async (creationTimestamp: string): Promise<string> =>
    await judged(request({ metadata: { creationTimestamp } }), { cluster });

  test('does not get the certificates that the earlier one requested', async () => {
    expect(await judgedAt('2026-11-21T09:59:59Z')).toBe(
      'cluster: it is older than the cluster cluster1, and was sent by an earlier cluster of that name',
    );
  });

  test('gets its own', async () => {
    expect(await judgedAt(created)).toBe('approved');
    expect(await judgedAt('2026-11-21T10:00:01Z')).toBe('approved');
  });
});

describe('the registration', () => {
  const differs =
    'registration: status.registrations for "kubernetes.io/kube-apiserver-client" differs from what the add-on declares';
  const inStatus = (status: readonly Registration[]): Partial<HubFacts> => ({
    addOn: { metadata: { name: 'hello' }, status: { registrations: status } },
  });
  const signerName = 'kubernetes.io/kube-apiserver-client';

  test('that is not yet in the status', async () => {
    expect(await judged(request(), { addOn: { metadata: { name: 'hello' } } })).toBe(differs);
  });

  test.each([
    ['another user', { user: 'system:admin', groups }],
    ['another group', { user, groups: ['system:masters'] }],
    ['one more group', { user, groups: [...groups, 'system:masters'] }],
    ['a unit', { user, groups, organizationUnit: ['edge'] }],
  ])('to whose status another client wrote %s', async (_, subject) => {
    expect(await judged(request(), inStatus([{ signerName, subject }]))).toBe(differs);
  });

  test('to whose status another client wrote a second entry for the signer', async () => {
    const [own] = registrations;
    expect(
      await judged(
        request(),
        inStatus([...(own ? [own] : []), { signerName, subject: { user: 'system:admin' } }]),
      ),
    ).toBe(differs);
  });

  test.each([
    ['system:admin', groups],
    ['system:open-cluster-management:cluster:cluster10:addon:hello:agent:a', groups],
    ['system:open-cluster-management:cluster:cluster1:addon:hello2:agent:a', groups],
    ['system:open-cluster-management:cluster:cluster1:addon:hello:agent:a:b', groups],
    [user, ['system:masters']],
    [user, ['system:open-cluster-management:cluster:cluster2:addon:hello']],
  ])('that would make the add-on %s in %j to the API server', async (user, groups) => {
    expect(await judged(request(), registering({ signerName, subject: { user, groups } }))).toBe(
      `registration: "${user}" with its groups is not the add-on's own user`,
    );
  });
});

describe('the requester', () => {
  test.each([
    'system:open-cluster-management:cluster10:x7f2q',
    'system:open-cluster-management:cluster1',
    'system:open-cluster-management:cluster1:',
    'system:open-cluster-management:cluster1:a:b',
    'system:open-cluster-management:cluster1:A',
    'system:open-cluster-management:cluster1:-a',
    'system:open-cluster-management:cluster1: a',
    'system:open-cluster-management:cluster2:x7f2q',
    'xsystem:open-cluster-management:cluster1:x7f2q',
    'system:admin',
    '',
    user,
  ])('is not the agent of the cluster: %s', async (username) => {
    expect(await judged(request({ spec: { username } }))).toBe(
      `requester: requested by "${username}", which is not the registration agent of cluster1`,
    );
  });

  test('has a name that looks like that of the agent', async () => {
    const username = 'system:open-cluster-management:\u0441luster1:x7f2q';
    expect(await judged(request({ spec: { username } }))).toBe(
      'requester: requested by "system:open-cluster-management:\\u0441luster1:x7f2q", which is not the registration agent of cluster1',
    );
  });

  test('is not in the group of the cluster', async () => {
    const asked = request({
      spec: { groups: ['system:open-cluster-management:cluster10', 'system:masters'] },
    });
    expect(await judged(asked)).toBe(
      'requester: requested by "system:open-cluster-management:cluster1:x7f2q", which is not in the group system:open-cluster-management:cluster1',
    );
  });

  test('is also in the group of another cluster', async () => {
    const asked = request({
      spec: {
        groups: ['system:open-cluster-management:cluster1', 'system:open-cluster-management:cluster2'],
      },
    });
    expect(await judged(asked)).toBe(
      'requester: requested by "system:open-cluster-management:cluster1:x7f2q", which is also in the group "system:open-cluster-management:cluster2"',
    );
  });

  test('is the gRPC server, for an agent of another cluster', async () => {
    const asked = request({
      spec: { username: 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa' },
      metadata: {
        annotations: { 'open-cluster-management.io/csr-user': 'system:open-cluster-management:cluster10:a' },
      },
    });
    expect(await judged(asked, {}, { grpcServer: true })).toBe(
      'requester: the gRPC server asks for "system:open-cluster-management:cluster10:a", which is not the registration agent of cluster1',
    );
  });

  test('writes the annotation of the gRPC server itself', async () => {
    const asked = request({
      spec: { username: 'system:open-cluster-management:cluster2:a' },
      metadata: {
        annotations: { 'open-cluster-management.io/csr-user': 'system:open-cluster-management:cluster1:a' },
      },
    });
    expect(await judged(asked, {}, { grpcServer: true })).toMatch(/^requester: /);
  });
});

describe('usages and expiration', () => {
  test.each([
    [[], 'none'],
    [['client auth'], '"client auth"'],
    [
      ['digital signature', 'client auth', 'server auth'],
      '"digital signature", "client auth", "server auth"',
    ],
    [['digital signature', 'client auth', 'cert sign'], '"digital signature", "client auth", "cert sign"'],
    [
      ['digital signature', 'client auth', 'client auth'],
      '"digital signature", "client auth", "client auth"',
    ],
    [['digital signature', 'any'], '"digital signature", "any"'],
  ])('the usages %j', async (usages, message) => {
    expect(await judged(request({ spec: { usages } }))).toBe(
      `usages: its usages are ${message}; required: client auth and digital signature; optional: key encipherment`,
    );
  });

  test.each([0, -1, 599, 31_536_001, 2_147_483_647, 3600.5, NaN])(
    'a life of %s seconds',
    async (expirationSeconds) => {
      expect(await judged(request({ spec: { expirationSeconds } }))).toBe(
        `expiration: it requests a lifetime of ${expirationSeconds} seconds, not 600 to 31536000`,
      );
    },
  );
});

describe('the maximum lifetime', () => {
  const day = 86_400;
  const own = (expirationSeconds?: number) =>
    request({
      spec: {
        signerName: 'example.com/hello',
        request: forgedForOwnSigner(),
        ...(expirationSeconds !== undefined && { expirationSeconds }),
      },
    });

  test('is that of certificates of any signer', async () => {
    const limits = { lifetime: day };
    const refused = `expiration: it requests a lifetime of ${day + 1} seconds, not 600 to ${day}`;
    expect(await judged(request({ spec: { expirationSeconds: day } }), {}, limits)).toBe('approved');
    expect(await judged(request({ spec: { expirationSeconds: day + 1 } }), {}, limits)).toBe(refused);
    expect(await judged(own(day + 1), {}, limits)).toBe(refused);
  });

  test('is exceeded by a request that leaves it to a signer that issues longer', async () => {
    const limits = { lifetime: day, apiServerLifetime: 365 * day };
    expect(await judged(request(), {}, limits)).toBe(
      'expiration: it does not request a lifetime: the default of this signer is 31536000 seconds, and the maximum is 86400',
    );
    expect(await judged(request(), {}, { lifetime: day, apiServerLifetime: day })).toBe('approved');
    // Those of its own signer are issued here, and live no longer than allowed.
    expect(await judged(own(), {}, limits)).toBe('approved');
  });
});

describe('the encoding', () => {
  const encoded = async (text: string): Promise<string> =>
    await judged(request({ spec: { request: Buffer.from(text).toString('base64') } }));
  const pem = Buffer.from(forged(), 'base64').toString();
  const body = forge({ name: subject });

  test('of a megabyte', async () => {
    const started = performance.now();
    const padded = pem + '\n'.repeat(1_000_000);
    expect(await encoded(padded)).toBe('size: it is larger than 16384 bytes');
    expect(performance.now() - started).toBeLessThan(500);
  });

  test.each([
    ['no text at all', '', 'it is not a PEM block CERTIFICATE REQUEST'],
    ['garbage', 'not a request', 'it is not a PEM block CERTIFICATE REQUEST'],
    ['a certificate', pem.replaceAll(' REQUEST', ''), 'it is not a PEM block CERTIFICATE REQUEST'],
    [
      'the old name of a request',
      pem.replaceAll('CERTIFICATE', 'NEW CERTIFICATE'),
      'it is not a PEM block CERTIFICATE REQUEST',
    ],
    ['text before it', `hello\n${pem}`, 'there is text before its CERTIFICATE REQUEST'],
    ['text after it', `${pem}hello\n`, 'there is text after its CERTIFICATE REQUEST'],
    ['blank lines after it', `${pem}\n\n`, 'there is text after its CERTIFICATE REQUEST'],
    ['a second request', pem + pem, 'it is more than one PEM block'],
    ['a header', pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n'), 'its PEM block is not plain Base64'],
    [
      'bits beyond the last octet',
      '-----BEGIN CERTIFICATE REQUEST-----\nMB==\n-----END CERTIFICATE REQUEST-----',
      'its PEM block is not plain Base64',
    ],
    [
      'an empty block',
      '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----',
      'it is not a request in DER: it ends too early',
    ],
  ])('with %s', async (_, text, message) => {
    expect(await encoded(text)).toBe(`encoding: ${message}`);
  });

  const der = async (bytes: Buffer): Promise<string> =>
    await judged(request({ spec: { request: inBase64(bytes) } }));
  const notDer = 'encoding: it is not a request in DER: ';

  test.each([
    ['bytes after it', Buffer.concat([body, Buffer.from([0])]), 'there are extra bytes at the end'],
    ['its end cut off', body.subarray(0, -1), 'an element is longer than what contains it'],
    [
      'an indefinite length',
      Buffer.concat([Buffer.from([0x30, 0x80]), body, Buffer.from([0, 0])]),
      'an element of indefinite length',
    ],
    [
      'a length of more octets than need be',
      Buffer.concat([Buffer.from([0x30, 0x83, 0]), body.subarray(2)]),
      'a length is not in its shortest form',
    ],
    [
      'an absurd length',
      Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]),
      'an element is longer than what contains it',
    ],
    ['another version', forge({ name: subject, version: 1 }), 'it is not of version 1'],
    [
      'a challenge password',
      forge({ name: subject, attributes: [sequence(objectIdentifier('1.2.840.113549.1.9.7'), setOf([]))] }),
      'it has an attribute 1.2.840.113549.1.9.7',
    ],
    [
      'an extension twice',
      forge({ name: subject, extensions: [alternativeName, alternativeName] }),
      'the extension 2.5.29.17 is repeated',
    ],
    [
      'an entry of the subject of two types',
      forge({ name: [[attribute(oids.commonName, user), attribute(oids.organization, ownGroup)]] }),
      'a name has an entry of attributes of several types',
    ],
    [
      'an empty entry of the subject',
      forge({ name: [...subject, []] }),
      'a name has an entry without attributes',
    ],
    [
      'a name in UTF-16',
      forge({ name: [[attribute(oids.commonName, element(0x1e, Buffer.from('\0a')))]] }),
      'a name has text that is neither a printable nor a UTF-8 string',
    ],
    [
      'a name in broken UTF-8',
      forge({ name: [[attribute(oids.commonName, element(tags.utf8String, Buffer.from([0xff])))]] }),
      'a UTF-8 string is not UTF-8',
    ],
  ])('with %s', async (_, bytes, message) => {
    expect(await der(bytes)).toBe(notDer + message);
  });
});

describe('the key and the signature', () => {
  test.each([
    [
      'RSA of 1024 bits',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
      'its RSA key has 1024 bits, not 2048 to 8192',
    ],
    [
      'RSA with the exponent 3',
      generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).privateKey,
      'its RSA key has an unusual public exponent',
    ],
    ['P-224', newKey('P-224'), 'its ECDSA key is on the curve 1.3.132.0.33, not P-256, P-384 or P-521'],
    [
      'secp256k1',
      newKey('secp256k1'),
      'its ECDSA key is on the curve 1.3.132.0.10, not P-256, P-384 or P-521',
    ],
    [
      'Ed448',
      generateKeyPairSync('ed448').privateKey,
      'its key is of the type 1.3.101.113, not RSA, ECDSA or Ed25519',
    ],
    [
      'RSA-PSS',
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
      'its key is of the type 1.2.840.113549.1.1.10, not RSA, ECDSA or Ed25519',
    ],
  ])('a key of the type %s', async (_, key, message) => {
    expect(await asking({ key })).toBe(`key: ${message}`);
  });

  const forAnybody = 'its Ed25519 key is one that anyone can sign for';
  const notCanonical = 'its Ed25519 key is not in its canonical form';
  test.each([
    ['the neutral element', `01${'00'.repeat(31)}`, forAnybody],
    ['the neutral element with a sign', `01${'00'.repeat(30)}80`, forAnybody],
    ['the point of order 2', `ec${'ff'.repeat(30)}7f`, forAnybody],
    ['of order 4', '00'.repeat(32), forAnybody],
    ['the other one of order 4', `${'00'.repeat(31)}80`, forAnybody],
    ['of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', forAnybody],
    ['the second of order 8', 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa', forAnybody],
    ['the third of order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', forAnybody],
    ['the fourth of order 8', '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85', forAnybody],
    ['the neutral element, written in another way', `ee${'ff'.repeat(30)}7f`, notCanonical],
    ['a number beyond the field', `${'ff'.repeat(31)}7f`, notCanonical],
  ])('an Ed25519 key that is %s: %s', async (_, point, message) => {
    const algorithm = sequence(objectIdentifier(oids.ed25519));
    const publicKey = sequence(algorithm, bitString(Buffer.from(point, 'hex')));
    // No private key: a signature that OpenSSL takes for any content, or for some of it.
    const sign = (): Buffer => Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);
    expect(await asking({ publicKey, algorithm, sign })).toBe(`key: ${message}`);
  });

  test('an RSA key of 16,384 bits', async () => {
    const modulus = Buffer.alloc(2048, 0xff);
    const publicKey = sequence(
      sequence(objectIdentifier(oids.rsaEncryption), nullValue()),
      bitString(sequence(unsignedInteger(modulus), unsignedInteger(Buffer.from([1, 0, 1])))),
    );
    expect(await asking({ publicKey })).toBe('key: its RSA key has 16384 bits, not 2048 to 8192');
  });

  test.each([
    [
      'a point beside the curve',
      Buffer.concat([publicPart().subarray(0, -64), Buffer.alloc(64, 1)]),
      'its public key is not valid',
    ],
    [
      'a compressed point',
      sequence(
        sequence(objectIdentifier(oids.ecPublicKey), objectIdentifier(oids.p256)),
        bitString(Buffer.concat([Buffer.from([2]), publicPart().subarray(-64, -32)])),
      ),
      'its ECDSA key is not an uncompressed point',
    ],
    [
      'a curve that is spelled out',
      sequence(sequence(objectIdentifier(oids.ecPublicKey), sequence()), bitString(Buffer.from([4]))),
      'the curve of its ECDSA key has no name',
    ],
    [
      'RSA with parameters',
      sequence(sequence(objectIdentifier(oids.rsaEncryption), sequence()), bitString(Buffer.from([4]))),
      'its RSA key has parameters',
    ],
  ])('%s', async (_, publicKey, message) => {
    expect(await asking({ publicKey })).toBe(`key: ${message}`);
  });

  const unsigned = 'signature: it is not signed by its own key with SHA-256, SHA-384, SHA-512 or Ed25519';
  test('the key of another user', async () => {
    expect(await asking({ publicKey: publicPart() })).toBe(unsigned);
  });
  test('a broken signature', async () => {
    expect(await asking({ sign: () => Buffer.alloc(70, 7) })).toBe(unsigned);
  });
  test('no signature', async () => {
    expect(await asking({ sign: () => Buffer.alloc(0) })).toBe(unsigned);
  });
  test.each([
    ['SHA-1', '1.2.840.10045.4.1'],
    ['an algorithm of another key', '1.2.840.113549.1.1.11'],
    ['an unknown one', '1.2.3.4'],
  ])('a signature with %s', async (_, oid) => {
    expect(await asking({ algorithm: sequence(objectIdentifier(oid)) })).toBe(unsigned);
  });
  test('parameters of the algorithm', async () => {
    const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2'), nullValue());
    expect(await asking({ algorithm })).toBe(unsigned);
  });
});

describe('the subject', () => {
  const organizations = groups.map((group) => attribute(oids.organization, group));
  const commonName = async (...texts: (string | Buffer)[]): Promise<string> =>
    await asking({ name: [organizations, ...texts.map((text) => [attribute(oids.commonName, text)])] });

  test.each([
    ['another user', 'system:admin', '"system:admin"'],
    [
      'the add-on on another cluster',
      user.replace('cluster1', 'cluster10'),
      `"${user.replace('cluster1', 'cluster10')}"`,
    ],
    ['a NUL at its end', `${user}\0`, `"${user}\\u0000"`],
    ['a Cyrillic letter', user.replace('hello', 'h\u0435llo'), `"${user.replace('hello', 'h\\u0435llo')}"`],
    ['a space at its end', `${user} `, `"${user} "`],
    ['nothing', '', '""'],
  ])('whose common name is %s', async (_, text, message) => {
    expect(await commonName(text)).toBe(`common-name: it asks for ${message}, not for "${user}"`);
  });

  test('with two common names, without one, and with two in one entry', async () => {
    expect(await commonName(user, 'system:admin')).toBe(
      `common-name: it asks for 2 common names, not for "${user}"`,
    );
    expect(await commonName(user, user)).toBe(`common-name: it asks for 2 common names, not for "${user}"`);
    expect(await commonName()).toBe(`common-name: it asks for 0 common names, not for "${user}"`);
    const both = [attribute(oids.commonName, user), attribute(oids.commonName, 'system:admin')];
    expect(await asking({ name: [organizations, both] })).toBe(
      `common-name: it asks for 2 common names, not for "${user}"`,
    );
  });

  test('with an attribute of another type', async () => {
    expect(await asking({ name: [...subject, [attribute('2.5.4.7', 'Berlin')]] })).toBe(
      'common-name: its subject has an attribute 2.5.4.7',
    );
  });

  test.each([
    [
      'one more organization',
      [...groups, 'system:masters'],
      'its organization "system:masters" is not registered',
    ],
    [
      'the organization of another cluster',
      [`${ownGroup}0`, ...groups],
      `its organization "${ownGroup}0" is not registered`,
    ],
    [
      'one organization less',
      [ownGroup],
      'it lacks the registered organization "system:open-cluster-management:addon:hello"',
    ],
    ['no organization', [], `it lacks the registered organization "${ownGroup}"`],
  ])('with %s', async (_, texts, message) => {
    const entries = texts.map((text) => [attribute(oids.organization, text)]);
    expect(await asking({ name: [...entries, [attribute(oids.commonName, user)]] })).toBe(
      `organizations: ${message}`,
    );
  });

  test('with an organization that is registered once and requested twice', async () => {
    const entries = [...groups, ownGroup].map((text) => [attribute(oids.organization, text)]);
    expect(await asking({ name: [...entries, [attribute(oids.commonName, user)]] })).toBe(
      'organizations: it has a registered organization more or fewer times than registered',
    );
  });

  test('with a unit that is not registered', async () => {
    expect(await asking({ name: [...subject, [attribute(oids.organizationalUnit, 'edge')]] })).toBe(
      'organizational-units: its organizational unit "edge" is not registered',
    );
  });

  test('of the add-on’s own signer without the registered unit', async () => {
    const name = [[attribute(oids.organization, 'readers')], [attribute(oids.commonName, 'hello')]];
    const asked = request({ spec: { signerName: 'example.com/hello', request: forged({ name }) } });
    expect(await judged(asked)).toBe(
      'organizational-units: it lacks the registered organizational unit "edge"',
    );
  });
});

describe('alternative names and extensions', () => {
  const names = async (...written: Buffer[]): Promise<string> =>
    await asking({ extensions: [extension(oids.subjectAlternativeName, sequence(...written))] });
  const named = (tag: number, content: string | Buffer): Buffer =>
    element(contextTag(tag, false), Buffer.from(content));

  test.each([
    ['another DNS name', [named(2, 'kubernetes.default.svc')], 'the DNS name "kubernetes.default.svc"'],
    [
      'a wildcard',
      [named(2, '*.addon.open-cluster-management.io')],
      'the DNS name "*.addon.open-cluster-management.io"',
    ],
    ['one more DNS name', [named(2, dnsName), named(2, 'a.b')], 'the DNS name "a.b"'],
    ['a NUL in the DNS name', [named(2, `${dnsName}\0.b`)], `the DNS name "${dnsName}\\u0000.b"`],
    ['an address', [named(7, Buffer.from([127, 0, 0, 1]))], 'a name of the kind IP'],
    ['a URI', [named(6, 'spiffe://a/b')], 'a name of the kind URI'],
    ['an email address', [named(1, 'a@b.c')], 'a name of the kind email'],
    ['a directory name', [element(contextTag(4, true), sequence())], 'a name of the kind other'],
  ])('with %s', async (_, written, message) => {
    expect(await names(...written)).toBe(
      `alternative-names: it asks for ${message}, not for ${dnsName} alone`,
    );
  });

  test('with its name twice, or without it', async () => {
    expect(await names(named(2, dnsName), named(2, dnsName))).toBe(
      'alternative-names: it asks for 2 alternative names, not for one',
    );
    expect(await names()).toBe('alternative-names: it asks for 0 alternative names, not for one');
  });

  test.each([
    ['CA:TRUE', extension(oids.basicConstraints, sequence(trueValue())), 'it requests a CA certificate'],
    [
      'certificate signing',
      extension(oids.keyUsage, namedBits([0, 5])),
      'its key usage is more than digital signature and key encipherment',
    ],
    [
      'a key usage of two octets',
      extension(oids.keyUsage, namedBits([0, 8])),
      'its key usage is more than digital signature and key encipherment',
    ],
    [
      'server authentication',
      extension(oids.extendedKeyUsage, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      'its extended key usage is not only client auth',
    ],
    [
      'name constraints',
      extension('2.5.29.30', sequence(), { critical: true }),
      'it asks for the extension 2.5.29.30',
    ],
    [
      'an unknown one that is critical',
      extension('1.2.3', sequence(), { critical: true }),
      'it asks for the extension 1.2.3',
    ],
    ['an unknown one that is not', extension('1.2.3', sequence()), 'it asks for the extension 1.2.3'],
    [
      'one that is not DER',
      extension(oids.basicConstraints, Buffer.from([1, 2])),
      'an extension is not in DER: expected tag 0x30, found 0x01',
    ],
  ])('with %s', async (_, written, message) => {
    expect(await asking({ extensions: [written] })).toBe(`extensions: ${message}`);
  });
});

describe('cheap checks come first', () => {
  const contentOf = vi.fn<ContentLookup>(() => undefined);
  const other = newKey();

  test.each([
    ['the name', { metadata: { name: 'other' } }],
    ['the signer', { spec: { signerName: 'example.com/other' } }],
    ['the requester', { spec: { username: 'system:admin' } }],
    ['the usages', { spec: { usages: ['any'] } }],
    ['the lifetime', { spec: { expirationSeconds: 1 } }],
  ])('a request that fails %s is not read', (_, parts) => {
    const asked = request(parts);
    const kept = { ...asked, requestLength: asked.spec.request.length };
    expect(judge(kept, hub, defaultLimits, contentOf)).toMatchObject({ approved: false });
    expect(contentOf).not.toHaveBeenCalled();
  });

  test.each([
    ['the common name', { name: [[attribute(oids.commonName, 'other')]] }, 'common-name'],
    ['the organizations', { name: [[attribute(oids.commonName, user)]] }, 'organizations'],
    ['the extensions', { extensions: [extension('1.2.3', sequence())] }, 'extensions'],
  ])('of a request that fails %s neither the key nor the signature is verified', async (_, parts, check) => {
    const unsigned = { ...parts, publicKey: publicPart(other) };
    expect(await asking(unsigned)).toMatch(new RegExp(`^${check}: `));
    const unfit = { ...parts, key: newKey('P-224') };
    expect(await asking(unfit)).toMatch(new RegExp(`^${check}: `));
  });
});

describe('a repeated request', () => {
  test('with a key for which another was approved', async () => {
    expect(await judged(request(), { approvedWithKey: () => ['addon-cluster1-hello-first'] })).toBe(
      'key-reuse: its key is that of addon-cluster1-hello-first, which was approved before',
    );
  });

  test('is not refused for its own earlier approval', async () => {
    expect(await judged(request(), { approvedWithKey: () => ['addon-cluster1-hello-x7k2p'] })).toBe(
      'approved',
    );
  });

  test('is one of too many', async () => {
    expect(await judged(request(), { recentApprovals: 20 })).toBe(
      'limit: 20 requests of hello on cluster1 were approved recently',
    );
  });

  test('remains entitled to its certificate', async () => {
    const facts = { ...hub, recentApprovals: 100, approvedWithKey: () => ['another'] };
    expect(await verdictOn(request(), facts, defaultLimits, judgeEntitlement)).toMatchObject({
      approved: true,
    });
  });
});

describe('any request', () => {
  test('a request with any bytes changed is refused', async () => {
    const der = forge({ name: subject, extensions: [alternativeName] });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(der.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const changed = Buffer.from(der);
          for (const [index, octet] of changes) changed[index] = octet;
          fc.pre(!changed.equals(der));
          // What is signed cannot change without the key.
          expect(await judged(request({ spec: { request: inBase64(changed) } }))).not.toBe('approved');
        },
      ),
      { numRuns: 500 },
    );
  });

  test('any text is refused, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.base64String(), fc.string()), async (text) => {
        expect(await judged(request({ spec: { request: text } }))).not.toBe('approved');
      }),
    );
  });

  test('any bytes in a PEM block are refused, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        expect(await judged(request({ spec: { request: inBase64(Buffer.from(bytes)) } }))).not.toBe(
          'approved',
        );
      }),
    );
  });

  test('a message is one line of printable ASCII and not long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 500 }), async (text) => {
        const message = await judged(request({ spec: { username: text } }));
        expect(message).toMatch(/^[\x20-\x7e…]{1,1000}$/);
      }),
    );
  });
});
