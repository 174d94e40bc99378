import {
  element,
  objectIdentifier,
  sequence,
  setOf,
  utf8String,
} from '../../../../../src/base/certificates/der-writer.ts';
import { oids } from '../../../../../src/base/certificates/object-identifiers.ts';
import { attribute } from '../../../../base/certificates/forged-request.ts';
import { Forger, identityOf, type TableRequest, type Target } from './hostile-request.ts';

/** Common names that are not that of the add-on's user on the cluster. */
export function commonNames(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const { cluster, addOn, neighbor } = target;
  const { user } = forger;
  const texts: Readonly<Record<string, string>> = {
    'an administrator': 'system:admin',
    "kubeadm's administrator": 'kubernetes-admin',
    'the API server': 'system:apiserver',
    'the controller manager': 'system:kube-controller-manager',
    'the scheduler': 'system:kube-scheduler',
    'a node': 'system:node:hub-1',
    'the aggregator': 'system:kube-aggregator',
    'a ServiceAccount': 'system:serviceaccount:kube-system:generic-garbage-collector',
    "OCM's add-on manager": 'system:serviceaccount:open-cluster-management-hub:addon-manager-controller-sa',
    'the companion': 'system:serviceaccount:fleetwright:fleetwright-controller',
    'the registration agent': `system:open-cluster-management:${cluster}:agent1`,
    'the registration agent of another cluster': `system:open-cluster-management:${neighbor}:agent1`,
    'the add-on on the cluster that begins like it': identityOf({ cluster: neighbor, addOn }).user,
    'an add-on that begins like it': identityOf({ cluster, addOn: `${addOn}2` }).user,
    'another agent of the add-on': user.replace(/[^:]+$/, 'other'),
    'its user without the agent': user.replace(/:agent:.*$/, ''),
    'its user in capitals': user.toUpperCase(),
    'its user with a capital': user.replace('system', 'System'),
    'its user with a NUL behind it': `${user}\0`,
    'its user with a NUL and an administrator behind it': `${user}\0system:admin`,
    'an administrator with a NUL and its user behind it': `system:admin\0${user}`,
    'its user with a space behind it': `${user} `,
    'its user with a space before it': ` ${user}`,
    'its user with a line feed behind it': `${user}\n`,
    'its user with a tab': user.replace(':addon:', ':addon:\t'),
    'its user with a byte order mark': `\ufeff${user}`,
    'its user with an invisible letter': user.replace(addOn, `\u200b${addOn}`),
    'its user with a soft hyphen': user.replace(addOn, `\u00ad${addOn}`),
    'its user from right to left': `\u202e${user}`,
    'its user with a combining letter': `${user}\u0301`,
    'its user in wide letters': user.replace('s', '\uff53'),
    'its user with a Cyrillic letter': user.replace('a', '\u0430'),
    'its user with a ligature': user.replace('st', '\ufb06'),
    'its user with another colon': user.replace(':', '\uff1a'),
    'its user with another dash': user.replace('-', '\u2010'),
    'its user twice': user + user,
    'its user and a comma': `${user},O=system:masters`,
    'its user as a text of a name': `CN=${user}`,
    'its user in quotes': `"${user}"`,
    'its user as a URI': `spiffe://${user}`,
    'a wildcard': '*',
    nothing: '',
    'a thousand letters': 'a'.repeat(1000),
  };
  const asText = Object.entries(texts).map(([name, text]) => ({
    name: `a common name: ${name}`,
    spec: forger.calling(text),
    refusedBy: 'common-name' as const,
  }));
  const strings: Readonly<Record<string, Buffer>> = {
    BMPString: element(0x1e, Buffer.from(user, 'utf16le').swap16()),
    UniversalString: element(
      0x1c,
      Buffer.concat(Array.from(user, (letter) => Buffer.from([0, 0, 0, letter.charCodeAt(0)]))),
    ),
    TeletexString: element(0x14, Buffer.from(user)),
    IA5String: element(0x16, Buffer.from(user)),
    NumericString: element(0x12, Buffer.from(user)),
    VisibleString: element(0x1a, Buffer.from(user)),
    GeneralString: element(0x1b, Buffer.from(user)),
    'octet string': element(0x04, Buffer.from(user)),
    'bit string': element(0x03, Buffer.from([0]), Buffer.from(user)),
    'UTF-8 string in parts': element(0x2c, utf8String(user)),
    'sequence of strings': sequence(utf8String(user)),
    null: element(0x05),
  };
  const asString = Object.entries(strings).map(([name, text]): TableRequest => ({
    name: `a common name in another type: ${name}`,
    spec: forger.calling(text),
    refusedBy: 'encoding',
    // The Go library of the API server takes any type but text with other letters than it may have.
    ...(name === 'NumericString' && { onHub: 'not taken' as const }),
  }));
  const printable = (text: string): Buffer => element(0x13, Buffer.from(text, 'latin1'));
  return [
    ...asText,
    ...asString,
    {
      name: 'a common name that is no UTF-8',
      spec: forger.calling(element(0x0c, Buffer.from([0xff, 0xfe, 0xfd]))),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a common name in an overlong encoding',
      spec: forger.calling(element(0x0c, Buffer.concat([Buffer.from(user), Buffer.from([0xc0, 0x80])]))),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a printable common name with a letter that is not printable',
      spec: forger.calling(printable(`${user}@`)),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a printable common name of another user',
      spec: forger.calling(printable('system:admin')),
      refusedBy: 'common-name',
    },
    { name: 'its printable common name', spec: forger.calling(printable(user)), refusedBy: 'none' },
  ];
}

/** Subjects with other attributes than a user and groups, or in another form. */
export function subjects(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const { organizations, commonName, user } = forger;
  const further: Readonly<Record<string, string>> = {
    'a surname': '2.5.4.4',
    'a serial number': '2.5.4.5',
    'a country': '2.5.4.6',
    'a locality': '2.5.4.7',
    'a province': '2.5.4.8',
    'a street': '2.5.4.9',
    'a title': '2.5.4.12',
    'a name of a type below the common name': '2.5.4.3.1',
    'an email address': '1.2.840.113549.1.9.1',
    'a domain component': '0.9.2342.19200300.100.1.25',
    'a user id': '0.9.2342.19200300.100.1.1',
    'the uid of Kubernetes': '1.3.6.1.4.1.57683.2',
    'an attribute nobody knows': '1.2.3.4.5',
  };
  const rdn = (...parts: readonly Buffer[]): Buffer => sequence(...parts);
  const cn = objectIdentifier(oids.commonName);
  return [
    ...Object.entries(further).flatMap(([name, type]): TableRequest[] => [
      {
        name: `a subject with ${name}`,
        spec: forger.named(organizations, [commonName], [attribute(type, user)]),
        refusedBy: 'common-name',
      },
    ]),
    {
      name: 'a subject with two common names, its own first',
      spec: forger.named(organizations, [commonName], [attribute(oids.commonName, 'system:admin')]),
      refusedBy: 'common-name',
    },
    {
      name: 'a subject with two common names, its own last',
      spec: forger.named(organizations, [attribute(oids.commonName, 'system:admin')], [commonName]),
      refusedBy: 'common-name',
    },
    {
      name: 'a subject with two common names in one entry',
      spec: forger.named(organizations, [attribute(oids.commonName, 'system:admin'), commonName]),
      refusedBy: 'common-name',
    },
    {
      name: 'a subject with its common name twice',
      spec: forger.named(organizations, [commonName], [commonName]),
      refusedBy: 'common-name',
    },
    { name: 'a subject without a common name', spec: forger.named(organizations), refusedBy: 'common-name' },
    { name: 'an empty subject', spec: forger.named(), refusedBy: 'common-name' },
    {
      name: 'a subject with an empty entry',
      spec: forger.named(organizations, [commonName], []),
      refusedBy: 'encoding',
    },
    {
      name: 'a subject with an entry of two types',
      spec: forger.named([...organizations, commonName]),
      refusedBy: 'encoding',
    },
    {
      name: 'a subject with an attribute without a value',
      spec: forger.named(organizations, [rdn(cn)]),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a subject with an attribute with two values',
      spec: forger.named(organizations, [rdn(cn, utf8String(user), utf8String('system:admin'))]),
      refusedBy: 'encoding',
    },
    {
      name: 'a subject with an attribute without a type',
      spec: forger.named(organizations, [rdn(utf8String(user))]),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a subject with a type in a longer encoding',
      spec: forger.named(organizations, [
        rdn(element(0x06, Buffer.from([0x55, 0x04, 0x80, 0x03])), utf8String(user)),
      ]),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a subject with a type that ends too early',
      spec: forger.named(organizations, [
        rdn(element(0x06, Buffer.from([0x55, 0x04, 0x83])), utf8String(user)),
      ]),
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
    {
      name: 'a subject with a type that wraps around to the common name',
      spec: forger.named(organizations, [
        rdn(element(0x06, Buffer.from([0x55, 0x04, 0x90, 0x80, 0x80, 0x80, 0x03])), utf8String(user)),
      ]),
      refusedBy: 'common-name',
      onHub: 'not taken',
    },
    {
      name: 'a subject whose entries are sequences',
      spec: { request: forger.with({ name: [] }).request },
      refusedBy: 'common-name',
    },
    {
      name: 'a subject in another order',
      spec: forger.named([commonName], ...organizations.map((each) => [each])),
      refusedBy: 'none',
    },
    {
      name: 'a subject with its groups together',
      spec: forger.named([commonName], organizations),
      refusedBy: 'none',
    },
    {
      name: 'a subject with an entry that is not in the order of DER',
      spec: forger.with({
        name: [[Buffer.concat([...organizations].sort((one, other) => other.compare(one)))], [commonName]],
      }),
      refusedBy: 'none',
    },
    {
      name: 'a subject with a set that has no order',
      spec: { request: forger.with({ name: [[setOf([commonName])]] }).request },
      refusedBy: 'encoding',
      onHub: 'not taken',
    },
  ];
}

/** Groups and units that the add-on does not register. */
export function groupsAndUnits(target: Target): readonly TableRequest[] {
  const forger = new Forger(target);
  const { cluster, addOn, neighbor } = target;
  const { groups, organizations, commonName } = forger;
  const [own = '', ofAll = ''] = groups;
  const further: Readonly<Record<string, string>> = {
    'the nodes': 'system:nodes',
    'all users': 'system:authenticated',
    'nobody known': 'system:unauthenticated',
    'all ServiceAccounts': 'system:serviceaccounts',
    'the ServiceAccounts of kube-system': 'system:serviceaccounts:kube-system',
    'the cluster': `system:open-cluster-management:${cluster}`,
    'all clusters': 'system:open-cluster-management:managed-clusters',
    'the add-on on another cluster': identityOf({ cluster: neighbor, addOn }).groups[0] ?? '',
    'another add-on': 'system:open-cluster-management:addon:other',
    'another add-on on the cluster': identityOf({ cluster, addOn: 'other' }).groups[0] ?? '',
    "kubeadm's administrators": 'kubeadm:cluster-admins',
    'administrators in capitals': 'SYSTEM:MASTERS',
    'administrators with a space': 'system:masters ',
    'administrators with a NUL': 'system:masters\0',
    'administrators with another colon': 'system\uff1amasters',
    'its group with a space': `${own} `,
    'its group in capitals': own.toUpperCase(),
    'its group with a NUL': `${own}\0`,
    'its group with a slash': `${own}/`,
    'a list': `${own},system:nodes`,
    nothing: '',
  };
  const bmp = (text: string): Buffer => element(0x1e, Buffer.from(text, 'utf16le').swap16());
  return [
    ...Object.entries(further).map(([name, text]): TableRequest => ({
      name: `a further group: ${name}`,
      spec: forger.organized(...groups, text),
      refusedBy: 'organizations',
    })),
    {
      name: 'a further group: administrators',
      spec: forger.organized(...groups, 'system:masters'),
      refusedBy: 'organizations',
      onHub: 'not taken',
    },
    {
      name: 'a further group in another type',
      spec: forger.organized(...groups, bmp('system:nodes')),
      refusedBy: 'encoding',
    },
    { name: 'a group twice and another less', spec: forger.organized(own, own), refusedBy: 'organizations' },
    { name: 'a group twice', spec: forger.organized(own, ofAll, own), refusedBy: 'organizations' },
    { name: 'the own group alone', spec: forger.organized(own), refusedBy: 'organizations' },
    { name: 'the group of all its agents alone', spec: forger.organized(ofAll), refusedBy: 'organizations' },
    { name: 'no group', spec: forger.organized(), refusedBy: 'organizations' },
    {
      name: 'a hundred groups',
      spec: forger.organized(...groups, ...Array.from({ length: 100 }, (_, index) => `g${index}`)),
      refusedBy: 'organizations',
    },
    {
      name: 'its groups as units',
      spec: forger.named(
        groups.map((group) => attribute(oids.organizationalUnit, group)),
        [commonName],
      ),
      refusedBy: 'organizations',
    },
    {
      name: 'its groups as organization identifiers',
      spec: forger.named(
        groups.map((group) => attribute('2.5.4.97', group)),
        [commonName],
      ),
      refusedBy: 'common-name',
    },
    {
      name: 'a unit',
      spec: forger.named(organizations, [attribute(oids.organizationalUnit, 'edge')], [commonName]),
      refusedBy: 'organizational-units',
    },
    {
      name: 'an empty unit',
      spec: forger.named(organizations, [attribute(oids.organizationalUnit, '')], [commonName]),
      refusedBy: 'organizational-units',
    },
    ...ofOwnSigner(target, forger),
  ];
}

/** Subjects that the add-on does not register with its own signer. */
function ofOwnSigner({ signer }: Target, forger: Forger): readonly TableRequest[] {
  const of = (
    name: string,
    parts: {
      readonly user?: string;
      readonly groups?: readonly string[];
      readonly units?: readonly string[];
    },
    refusedBy: TableRequest['refusedBy'],
  ): TableRequest => {
    const { user = 'hello', groups = ['readers'], units = ['edge'] } = parts;
    const { request } = forger.named(
      ...groups.map((text) => [attribute(oids.organization, text)]),
      ...units.map((text) => [attribute(oids.organizationalUnit, text)]),
      [attribute(oids.commonName, user)],
    );
    return { name: `of its own signer: ${name}`, spec: { signerName: signer, request }, refusedBy };
  };
  return [
    of('as registered', {}, 'none'),
    of('another user', { user: 'root' }, 'common-name'),
    of("the user of the hub's API server", { user: forger.user }, 'common-name'),
    of('a user in capitals', { user: 'Hello' }, 'common-name'),
    of('another group', { groups: ['writers'] }, 'organizations'),
    of('a further group', { groups: ['readers', 'writers'] }, 'organizations'),
    of('its group twice', { groups: ['readers', 'readers'] }, 'organizations'),
    of('no group', { groups: [] }, 'organizations'),
    of('another unit', { units: ['core'] }, 'organizational-units'),
    of('a further unit', { units: ['edge', 'core'] }, 'organizational-units'),
    of('its unit twice', { units: ['edge', 'edge'] }, 'organizational-units'),
    of('no unit', { units: [] }, 'organizational-units'),
    of('group and unit swapped', { groups: ['edge'], units: ['readers'] }, 'organizations'),
  ];
}
