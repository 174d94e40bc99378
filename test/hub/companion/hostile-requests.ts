import { generateKeyPairSync } from 'node:crypto';
import { contextTag } from '../../../src/base/certificates/der-reader.ts';
import {
  element,
  namedBits,
  objectIdentifier,
  sequence,
  setOf,
  trueValue,
} from '../../../src/base/certificates/der-writer.ts';
import { dnsNames, extension } from '../../../src/base/certificates/extensions.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import { writePemBlock } from '../../../src/base/certificates/pem.ts';
import type { Check } from '../../../src/controller/hub/approval/verdict.ts';
import {
  attribute,
  forge,
  inBase64,
  newKey,
  type ForgedRequest,
} from '../../base/certificates/forged-request.ts';
import { publicPart } from '../../controller/hub/approval/entitled-request.ts';
import type { Impersonated } from '../client/api-client.ts';
import { agentOf, customSubject, generatedName, labels, ownGroup, ownSubject } from './fleet.ts';

/** The clusters and add-ons of the attacks. `victim` is the beginning of `neighbour`. */
export const attacked = {
  victim: 'attacked1',
  neighbour: 'attacked10',
  notAccepted: 'attacked-unknown',
  addOn: 'attacked-hello',
  /** Of which the hub's addon-manager takes care. */
  foreignAddOn: 'attacked-foreign',
  /** Installed on no cluster. */
  absentAddOn: 'attacked-absent',
  /** Waits for a finalizer. */
  deletedAddOn: 'attacked-deleted',
  signer: 'attacked.example.com/gateway',
} as const;

/** A request that must not be approved. */
export interface HostileRequest {
  readonly name: string;
  /** Who asks. @default - the agent of the victim */
  readonly as?: Impersonated;
  readonly metadata?: {
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  /**
   * Which check says no; `server`: the API server does not even take it; `nobody`: it is not one of ours, and nobody
   * approves it.
   */
  readonly refusedBy: Check | 'server' | 'nobody';
}

const { victim, neighbour, addOn } = attacked;
const { user, groups } = ownSubject(victim, addOn);
const organizations = groups.map((group) => attribute(oids.organization, group));
const commonName = [attribute(oids.commonName, user)];
const subject = [organizations, commonName];
const agent = agentOf(victim);
const dnsName = `${addOn}.addon.open-cluster-management.io`;

const forged = (parts: Partial<ForgedRequest> = {}): { readonly request: string } => ({
  request: inBase64(forge({ name: subject, extensions: [ownName], ...parts })),
});
const ownName = extension(oids.subjectAlternativeName, dnsNames([dnsName]));
const named = (...entries: Buffer[][]): { readonly request: string } => forged({ name: entries });
const calling = (text: string): { readonly request: string } =>
  named(organizations, [attribute(oids.commonName, text)]);
const organized = (...texts: readonly string[]): { readonly request: string } =>
  named(
    texts.map((text) => attribute(oids.organization, text)),
    commonName,
  );
const alternatively = (...names: Buffer[]): { readonly request: string } =>
  forged({ extensions: [extension(oids.subjectAlternativeName, sequence(...names))] });
const generalName = (tag: number, content: string | Buffer): Buffer =>
  element(contextTag(tag, false), Buffer.from(content));
const extended = (type: string, value: Buffer, critical = false): { readonly request: string } =>
  forged({ extensions: [ownName, extension(type, value, { critical })] });
const inPem = (change: (pem: string) => string): { readonly request: string } => {
  const pem = Buffer.from(forged().request, 'base64').toString();
  return { request: Buffer.from(change(pem)).toString('base64') };
};
const labelled = (cluster: string, name: string): NonNullable<HostileRequest['metadata']> => ({
  name: generatedName(cluster, name),
  labels: { [labels.cluster]: cluster, [labels.addOn]: name },
});
const from = (user: string, ...groups: readonly string[]): Impersonated => ({
  user,
  groups: [...groups, 'system:authenticated'],
});
const custom = (
  user: string = customSubject.user,
  organizations: readonly string[] = customSubject.groups,
  units: readonly string[] = customSubject.organizationUnit,
): Readonly<Record<string, unknown>> => ({
  signerName: attacked.signer,
  ...named(
    organizations.map((text) => attribute(oids.organization, text)),
    units.map((text) => attribute(oids.organizationalUnit, text)),
    [attribute(oids.commonName, user)],
  ),
});

const requesters: readonly HostileRequest[] = [
  { name: 'the agent of another cluster', as: agentOf(neighbour), refusedBy: 'requester' },
  {
    name: 'a user that is the cluster without an agent',
    as: from(`system:open-cluster-management:${victim}`, ...agent.groups),
    refusedBy: 'requester',
  },
  {
    name: 'a user that begins as the agent of the cluster',
    as: from(`system:open-cluster-management:${victim}:agent1:more`, ...agent.groups),
    refusedBy: 'requester',
  },
  {
    name: 'a user that ends as the agent of the cluster',
    as: from(`evil:system:open-cluster-management:${victim}:agent1`, ...agent.groups),
    refusedBy: 'requester',
  },
  {
    name: 'an agent without a name',
    as: from(`system:open-cluster-management:${victim}:`, ...agent.groups),
    refusedBy: 'requester',
  },
  {
    name: 'an agent in capitals',
    as: from(`system:open-cluster-management:${victim.toUpperCase()}:agent1`, ...agent.groups),
    refusedBy: 'requester',
  },
  {
    name: 'an agent whose name has a letter of another alphabet',
    as: from(`system:open-cluster-management:\u0430ttacked1:agent1`, ...agent.groups),
    refusedBy: 'requester',
  },
  { name: 'an administrator', as: from('administrator', 'system:masters'), refusedBy: 'requester' },
  { name: 'the add-on itself', as: from(user, ...groups), refusedBy: 'requester' },
  {
    name: 'the gRPC server, which is not trusted',
    as: from('system:serviceaccount:open-cluster-management-hub:grpc-server-sa', 'system:serviceaccounts'),
    metadata: { annotations: { 'open-cluster-management.io/csr-user': agent.user } },
    refusedBy: 'requester',
  },
  {
    name: 'another agent with the annotation of the gRPC server',
    as: agentOf(neighbour),
    metadata: { annotations: { 'open-cluster-management.io/csr-user': agent.user } },
    refusedBy: 'requester',
  },
  { name: 'the agent without the group of its cluster', as: from(agent.user), refusedBy: 'requester' },
  {
    name: 'the agent in the group of another cluster too',
    as: from(agent.user, ...agent.groups, `system:open-cluster-management:${neighbour}`),
    refusedBy: 'requester',
  },
];

const places: readonly HostileRequest[] = [
  {
    name: 'without the label of the add-on',
    metadata: { labels: { [labels.cluster]: victim } },
    refusedBy: 'nobody',
  },
  { name: 'without labels', metadata: { labels: {} }, refusedBy: 'nobody' },
  {
    name: 'without the label of the cluster',
    metadata: { labels: { [labels.addOn]: addOn } },
    refusedBy: 'nobody',
  },
  {
    name: 'for an add-on of which the hub takes care',
    metadata: labelled(victim, attacked.foreignAddOn),
    refusedBy: 'nobody',
  },
  {
    name: 'for an add-on that does not exist',
    metadata: labelled(victim, 'attacked-no-such'),
    refusedBy: 'nobody',
  },
  { name: 'with a name without the prefix', metadata: { name: 'attacked-x7k2p' }, refusedBy: 'name' },
  {
    name: 'with the name of a request of another cluster',
    metadata: { name: generatedName(neighbour, addOn) },
    refusedBy: 'name',
  },
  {
    name: 'for an add-on that is not on the cluster',
    metadata: labelled(victim, attacked.absentAddOn),
    refusedBy: 'add-on',
  },
  {
    name: 'for an add-on that is being deleted',
    metadata: labelled(victim, attacked.deletedAddOn),
    refusedBy: 'add-on',
  },
  {
    name: 'for a cluster that does not exist',
    as: agentOf('attacked-no-such'),
    metadata: labelled('attacked-no-such', addOn),
    refusedBy: 'cluster',
  },
  {
    name: 'for a cluster that is not accepted',
    as: agentOf(attacked.notAccepted),
    metadata: labelled(attacked.notAccepted, addOn),
    refusedBy: 'cluster',
  },
];

const signers: readonly HostileRequest[] = [
  {
    name: 'of a signer that is not registered',
    spec: { signerName: 'attacked.example.com/other' },
    refusedBy: 'signer',
  },
  {
    name: 'of the signer of kubelets',
    spec: { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' },
    refusedBy: 'signer',
  },
  {
    name: 'of the signer of servers',
    spec: { signerName: 'kubernetes.io/kubelet-serving' },
    refusedBy: 'signer',
  },
  {
    name: 'of the registered signer, as the user of the API server',
    spec: { signerName: attacked.signer },
    refusedBy: 'common-name',
  },
  { name: 'of the registered signer, as somebody else', spec: custom('root'), refusedBy: 'common-name' },
  {
    name: 'of the registered signer, in system:masters',
    spec: custom('gateway', [...customSubject.groups, 'system:masters']),
    refusedBy: 'organizations',
  },
  {
    name: 'of the registered signer, of another unit',
    spec: custom('gateway', customSubject.groups, ['core']),
    refusedBy: 'organizational-units',
  },
];

const subjects: readonly HostileRequest[] = [
  { name: 'as an administrator', spec: calling('system:admin'), refusedBy: 'common-name' },
  {
    name: 'as the add-on on another cluster',
    spec: calling(user.replace(victim, neighbour)),
    refusedBy: 'common-name',
  },
  { name: 'as another add-on', spec: calling(user.replaceAll(addOn, 'other')), refusedBy: 'common-name' },
  { name: 'as the agent of the cluster', spec: calling(agent.user), refusedBy: 'common-name' },
  { name: 'as its user with a NUL', spec: calling(`${user}\0`), refusedBy: 'common-name' },
  {
    name: 'as its user in a letter of another alphabet',
    spec: calling(user.replace('attacked-hello', '\u0430ttacked-hello')),
    refusedBy: 'common-name',
  },
  {
    name: 'with two common names',
    spec: named(organizations, [attribute(oids.commonName, 'system:admin')], commonName),
    refusedBy: 'common-name',
  },
  { name: 'with no common name', spec: named(organizations), refusedBy: 'common-name' },
  {
    name: 'with a common name and an organization in one entry',
    spec: named([...organizations, ...commonName]),
    refusedBy: 'encoding',
  },
  {
    name: 'with a locality',
    spec: named(organizations, commonName, [attribute('2.5.4.7', 'Berlin')]),
    refusedBy: 'common-name',
  },
  { name: 'in one more group', spec: organized(...groups, 'attacked-admins'), refusedBy: 'organizations' },
  { name: 'in system:masters', spec: organized(...groups, 'system:masters'), refusedBy: 'server' },
  {
    name: 'in the group of the add-on on another cluster',
    spec: organized(...groups, ownGroup(neighbour, addOn)),
    refusedBy: 'organizations',
  },
  { name: 'in one group less', spec: organized(ownGroup(victim, addOn)), refusedBy: 'organizations' },
  { name: 'in no group', spec: named(commonName), refusedBy: 'organizations' },
  {
    name: 'of a unit',
    spec: named(organizations, commonName, [attribute(oids.organizationalUnit, 'edge')]),
    refusedBy: 'organizational-units',
  },
];

const extensions: readonly HostileRequest[] = [
  {
    name: 'with a foreign DNS name',
    spec: alternatively(generalName(2, 'kubernetes.default.svc')),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with one more DNS name',
    spec: alternatively(generalName(2, dnsName), generalName(2, 'kubernetes')),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with a wildcard',
    spec: alternatively(generalName(2, '*.addon.open-cluster-management.io')),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with an IP address',
    spec: alternatively(generalName(7, Buffer.from([10, 0, 0, 1]))),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with a URI',
    spec: alternatively(generalName(6, 'spiffe://hub/admin')),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with an email address',
    spec: alternatively(generalName(1, 'admin@example.com')),
    refusedBy: 'alternative-names',
  },
  {
    name: 'with CA:TRUE',
    spec: extended(oids.basicConstraints, sequence(trueValue()), true),
    refusedBy: 'extensions',
  },
  {
    name: 'with the usage to sign certificates',
    spec: extended(oids.keyUsage, namedBits([0, 5])),
    refusedBy: 'extensions',
  },
  {
    name: 'with the extended usage of servers',
    spec: extended(oids.extendedKeyUsage, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    refusedBy: 'extensions',
  },
  {
    name: 'with an unknown critical extension',
    spec: extended('1.2.3.4', sequence(), true),
    refusedBy: 'extensions',
  },
  {
    name: 'with a challenge password',
    spec: forged({
      attributes: [
        sequence(objectIdentifier('1.2.840.113549.1.9.7'), setOf([element(0x0c, Buffer.from('secret'))])),
      ],
    }),
    refusedBy: 'encoding',
  },
];

const keys: readonly HostileRequest[] = [
  {
    name: 'with an RSA key of 1024 bits',
    spec: forged({ key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey }),
    refusedBy: 'key',
  },
  {
    name: 'with the RSA exponent 3',
    spec: forged({ key: generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).privateKey }),
    refusedBy: 'key',
  },
  { name: 'with a key on P-224', spec: forged({ key: newKey('P-224') }), refusedBy: 'key' },
  { name: 'with a key on secp256k1', spec: forged({ key: newKey('secp256k1') }), refusedBy: 'server' },
  {
    name: 'with the key of somebody else',
    spec: forged({ publicKey: publicPart() }),
    refusedBy: 'server',
  },
  {
    name: 'with a broken signature',
    spec: forged({ sign: () => Buffer.alloc(70, 7) }),
    refusedBy: 'server',
  },
  {
    name: 'with a signature of SHA-1',
    spec: forged({ algorithm: sequence(objectIdentifier('1.2.840.10045.4.1')) }),
    refusedBy: 'server',
  },
];

const asked: readonly HostileRequest[] = [
  {
    name: 'for servers too',
    spec: { usages: ['digital signature', 'client auth', 'server auth'] },
    refusedBy: 'usages',
  },
  { name: 'for any usage', spec: { usages: ['any'] }, refusedBy: 'usages' },
  {
    name: 'to sign certificates',
    spec: { usages: ['digital signature', 'client auth', 'cert sign'] },
    refusedBy: 'usages',
  },
  { name: 'for no client', spec: { usages: ['digital signature'] }, refusedBy: 'usages' },
  { name: 'for 68 years', spec: { expirationSeconds: 2_147_483_647 }, refusedBy: 'expiration' },
  { name: 'for 599 seconds', spec: { expirationSeconds: 599 }, refusedBy: 'server' },
];

const encodings: readonly HostileRequest[] = [
  { name: 'of a megabyte', spec: inPem((pem) => pem + ' '.repeat(1_000_000)), refusedBy: 'size' },
  {
    name: 'with a megabyte in its subject',
    spec: calling('x'.repeat(700_000)),
    refusedBy: 'size',
  },
  { name: 'of two megabytes', spec: inPem((pem) => pem + ' '.repeat(2_000_000)), refusedBy: 'server' },
  { name: 'that is garbage', spec: inPem(() => 'garbage'), refusedBy: 'server' },
  {
    name: 'that is garbage in a PEM block',
    spec: { request: inBase64(Buffer.alloc(300, 0xa5)) },
    refusedBy: 'server',
  },
  {
    name: 'that is a certificate',
    spec: inPem((pem) => pem.replaceAll(' REQUEST', '')),
    refusedBy: 'server',
  },
  { name: 'of two PEM blocks', spec: inPem((pem) => pem + pem), refusedBy: 'encoding' },
  { name: 'with text behind its PEM block', spec: inPem((pem) => `${pem}behind`), refusedBy: 'encoding' },
  { name: 'with text before its PEM block', spec: inPem((pem) => `before\n${pem}`), refusedBy: 'encoding' },
  {
    name: 'with a header in its PEM block',
    spec: inPem((pem) => pem.replace('\n', '\nA: b\n\n')),
    refusedBy: 'encoding',
  },
  {
    name: 'with bytes behind it in its PEM block',
    spec: {
      request: Buffer.from(
        writePemBlock(Buffer.concat([forge({ name: subject }), Buffer.from('more')]), 'CERTIFICATE REQUEST'),
      ).toString('base64'),
    },
    refusedBy: 'server',
  },
];

/** Everything that one request alone can do wrong, by what it does. */
export const hostileRequests: Readonly<Record<string, readonly HostileRequest[]>> = {
  'asked by': requesters,
  'a request': [...places, ...signers],
  'a subject': subjects,
  extensions,
  keys,
  'what is asked': asked,
  'an encoding': encodings,
};
