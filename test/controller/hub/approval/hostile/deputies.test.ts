import { describe, expect, test } from 'vitest';
import type { Registration } from '../../../../../src/controller/add-on/registration.ts';
import {
  defaultLimits,
  type HubFacts,
  type Limits,
} from '../../../../../src/controller/hub/approval/facts.ts';
import { verdictOn, type SentRequest } from '../verdict-on.ts';
import { Forger, identityOf } from './hostile-request.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../../../src/ocm/labels.ts';
import { apiServerSigner } from '../../../../../src/ocm/signers.ts';

// Somebody with rights of their own who asks for what somebody else may have. Everything in these requests is well-formed and fits
// the identity that they are for: what refuses them is who asks, and what the hub has.

const signer = 'example.com/seal';

interface Named {
  readonly cluster: string;
  readonly addOn: string;
}

/** What an add-on registers on a cluster when its template names both kinds of signers. */
function declaredFor(named: Named): readonly Registration[] {
  const { user, groups } = identityOf(named);
  return [
    { signerName: apiServerSigner, subject: { user, groups } },
    { signerName: signer, subject: { user: 'seal', groups: ['readers'] } },
  ];
}

/** The hub as it is for an add-on on a cluster where all is well. */
function hubOf(named: Named, facts: Partial<HubFacts> = {}): HubFacts {
  const registrations = declaredFor(named);
  return {
    cluster: { metadata: { name: named.cluster }, spec: { hubAcceptsClient: true } },
    addOn: { metadata: { name: named.addOn }, status: { registrations } },
    declared: registrations,
    approvedWithKey: () => [],
    recentApprovals: 0,
    ...facts,
  };
}

/** A request for an identity, with the labels and the name that fit it, of the agent of a cluster. */
function requestFor(identity: Named, agentOf = identity.cluster, labeled = identity): SentRequest {
  const forger = new Forger({ ...identity, neighbor: 'x', signer });
  return {
    metadata: {
      // Cut as the API server cuts a generated name.
      name: `${`addon-${labeled.cluster}-${labeled.addOn}-`.slice(0, 58)}x7k2p`,
      labels: { [clusterNameLabel]: labeled.cluster, [addOnNameLabel]: labeled.addOn },
    },
    spec: {
      ...forger.with({}),
      signerName: apiServerSigner,
      usages: ['digital signature', 'client auth'],
      username: `system:open-cluster-management:${agentOf}:agent1`,
      groups: [
        `system:open-cluster-management:${agentOf}`,
        'system:open-cluster-management:managed-clusters',
      ],
    },
  };
}

async function checkOf(request: SentRequest, facts: HubFacts, limits: Partial<Limits> = {}): Promise<string> {
  const verdict = await verdictOn(request, facts, { ...defaultLimits, ...limits });
  return verdict.approved ? 'none' : verdict.refusal.check;
}

const own = { cluster: 'a', addOn: 'logs' };
const clusters = ['a', 'a-b', 'ab', 'cluster', 'managed-clusters', 'addon', 'a.b', 'a'.repeat(63)];
const addOns = ['logs', 'logs-a', 'log', 'addon', 'agent', 'a'];
const pairs = clusters.flatMap((one) =>
  clusters.filter((other) => other !== one).map((other) => [one, other] as const),
);

describe.each(pairs)('the agent of the cluster %s', (agent, cluster) => {
  test.each(['logs', 'agent'])(`gets nothing of %s on ${cluster}`, async (addOn) => {
    const theirs = { cluster, addOn };
    const mine = { cluster: agent, addOn };
    // In their name, with its own labels, and with its own name under their labels.
    expect(await checkOf(requestFor(theirs, agent), hubOf(theirs))).toBe('requester');
    expect(await checkOf(requestFor(theirs, agent, mine), hubOf(mine))).toBe('common-name');
    expect(await checkOf(requestFor(mine, agent, theirs), hubOf(theirs))).toBe('requester');
    expect(await checkOf(requestFor(mine, agent), hubOf(mine))).toBe('none');
  });
});

describe.each(addOns)('the add-on %s', (addOn) => {
  test.each(addOns.filter((other) => other !== addOn))(
    'gets nothing of %s on the same cluster',
    async (other) => {
      const [mine, theirs] = [
        { cluster: 'a', addOn },
        { cluster: 'a', addOn: other },
      ];
      expect(await checkOf(requestFor(theirs, 'a', mine), hubOf(mine))).toBe('common-name');
      // Nor where its template registers the identity of the other one.
      const foreign = declaredFor(theirs);
      const facts = {
        declared: foreign,
        addOn: { metadata: { name: addOn }, status: { registrations: foreign } },
      };
      expect(await checkOf(requestFor(theirs, 'a', mine), hubOf(mine, facts))).toBe('registration');
    },
  );
});

describe('a status that the agent of a cluster forged', () => {
  const [ofServer, ofOwn] = declaredFor(own) as [Registration, Registration];
  const evil = { user: 'system:admin', groups: ['system:masters'] };
  const forged: Readonly<Record<string, readonly Registration[]>> = {
    'has another user': [{ ...ofServer, subject: { ...ofServer.subject, user: 'system:admin' } }, ofOwn],
    'has a further group': [
      {
        ...ofServer,
        subject: { ...ofServer.subject, groups: [...(ofServer.subject?.groups ?? []), 'evil'] },
      },
    ],
    'has a group twice': [
      {
        ...ofServer,
        subject: {
          ...ofServer.subject,
          groups: [...(ofServer.subject?.groups ?? []), ofServer.subject?.groups?.[0] ?? ''],
        },
      },
    ],
    'has no subject': [{ signerName: apiServerSigner }],
    'has a unit': [{ ...ofServer, subject: { ...ofServer.subject, organizationUnit: ['x'] } }],
    'has a second entry behind': [ofServer, { signerName: apiServerSigner, subject: evil }],
    'has a second entry before': [{ signerName: apiServerSigner, subject: evil }, ofServer],
    'has the same entry twice': [ofServer, ofServer],
    'has no entry': [],
    'has the entry of another signer': [ofOwn],
  };
  test.each(Object.entries(forged))('%s', async (_, registrations) => {
    const facts = { addOn: { metadata: { name: own.addOn }, status: { registrations } } };
    expect(await checkOf(requestFor(own), hubOf(own, facts))).toBe('registration');
  });

  test('registers a signer that the template does not name', async () => {
    const registrations = [...declaredFor(own), { signerName: 'example.com/more', subject: evil }];
    const facts = { addOn: { metadata: { name: own.addOn }, status: { registrations } } };
    const request = requestFor(own);
    const asked = { ...request, spec: { ...request.spec, signerName: 'example.com/more' } };
    expect(await checkOf(asked, hubOf(own, facts))).toBe('signer');
  });
});

describe('the state of the hub', () => {
  const deletionTimestamp = '2026-11-21T10:00:00Z';
  const accepted = { hubAcceptsClient: true };
  test.each<[string, Partial<HubFacts>, string]>([
    ['no cluster of that name', { cluster: undefined }, 'cluster'],
    [
      'a cluster that is deleted',
      { cluster: { metadata: { name: 'a', deletionTimestamp }, spec: accepted } },
      'cluster',
    ],
    [
      'a cluster that was accepted once',
      { cluster: { metadata: { name: 'a' }, spec: { hubAcceptsClient: false } } },
      'cluster',
    ],
    [
      'a cluster that was created again, and not accepted yet',
      { cluster: { metadata: { name: 'a' }, spec: {} } },
      'cluster',
    ],
    ['no add-on on the cluster', { addOn: undefined }, 'add-on'],
    [
      'an add-on that leaves the cluster',
      {
        addOn: { metadata: { name: 'logs', deletionTimestamp }, status: { registrations: declaredFor(own) } },
      },
      'add-on',
    ],
    [
      'an add-on that was created again, and is not registered yet',
      { addOn: { metadata: { name: 'logs' } } },
      'registration',
    ],
    ['a template without registrations', { declared: [] }, 'signer'],
    ['a signer that the settings have for others', { foreignSigners: new Set([apiServerSigner]) }, 'signer'],
    [
      'a request with this key that was approved',
      { approvedWithKey: () => ['addon-a-logs-other'] },
      'key-reuse',
    ],
    ['as many approvals as there may be', { recentApprovals: defaultLimits.approvals }, 'limit'],
    ['one approval less than there may be', { recentApprovals: defaultLimits.approvals - 1 }, 'none'],
  ])('%s', async (_, facts, check) => {
    expect(await checkOf(requestFor(own), hubOf(own, facts))).toBe(check);
  });
});

describe('a template that registers more than the add-on', () => {
  const { user, groups } = identityOf(own);
  const [own1 = '', all = ''] = groups;
  const subjects: Readonly<Record<string, Registration['subject'] & object>> = {
    'an administrator': { user: 'system:admin', groups },
    administrators: { user, groups: ['system:masters'] },
    'the group of the cluster': { user, groups: ['system:open-cluster-management:a'] },
    'the group of all clusters': { user, groups: ['system:open-cluster-management:managed-clusters'] },
    'its user on another cluster': { user: identityOf({ ...own, cluster: 'b' }).user, groups },
    'its group on another cluster': { user, groups: identityOf({ ...own, cluster: 'b' }).groups },
    'a user with a further name behind it': { user: `${user}:x`, groups },
    'a user with a letter in capitals': { user: user.replace('agent', 'Agent'), groups },
    'a user without an agent': { user: `${own1}:agent:`, groups },
    'a user with a wildcard': { user: `${own1}:agent:*`, groups },
    'a group in capitals': { user, groups: [own1.toUpperCase(), all] },
    'an empty group': { user, groups: ['', own1] },
  };
  test.each(Object.entries(subjects))('with the API server: %s', async (_, subject) => {
    const registrations = [{ signerName: apiServerSigner, subject }];
    const facts = {
      declared: registrations,
      addOn: { metadata: { name: 'logs' }, status: { registrations } },
    };
    expect(await checkOf(requestFor(own), hubOf(own, facts))).toBe('registration');
  });

  test('two registrations of one signer: the first one counts, and the status must have it alone', async () => {
    const second = { signerName: apiServerSigner, subject: { user: 'system:admin' } };
    const declared = [...declaredFor(own), second];
    expect(await checkOf(requestFor(own), hubOf(own, { declared }))).toBe('none');
    const status = { registrations: declared };
    expect(
      await checkOf(requestFor(own), hubOf(own, { declared, addOn: { metadata: { name: 'logs' }, status } })),
    ).toBe('registration');
  });
});

describe("OCM's gRPC server", () => {
  const server = 'system:serviceaccount:open-cluster-management-hub:grpc-server-sa';
  const annotation = 'open-cluster-management.io/csr-user';
  const asking = (agent: string | undefined, username = server): SentRequest => {
    const request = requestFor(own);
    return {
      metadata: { ...request.metadata, ...(agent !== undefined && { annotations: { [annotation]: agent } }) },
      spec: { ...request.spec, username, groups: ['system:serviceaccounts'] },
    };
  };
  const trusted = { grpcServer: true };

  test('requests agents if it is trusted', async () => {
    const agent = 'system:open-cluster-management:a:agent1';
    expect(await checkOf(asking(agent), hubOf(own), trusted)).toBe('none');
    expect(await checkOf(asking(agent), hubOf(own))).toBe('requester');
  });

  test.each([
    undefined,
    '',
    'system:open-cluster-management:a-b:agent1',
    'system:open-cluster-management:a:agent1:more',
    'system:open-cluster-management:a',
    'system:admin',
    server,
    identityOf(own).user,
  ])('requests only agents if it is trusted: %s', async (agent) => {
    expect(await checkOf(asking(agent), hubOf(own), trusted)).toBe('requester');
  });

  test.each([`${server}2`, server.replace('-hub', ''), server.toUpperCase(), ` ${server}`, 'grpc-server-sa'])(
    'is not a user with a similar name: %s',
    async (username) => {
      const agent = 'system:open-cluster-management:a:agent1';
      expect(await checkOf(asking(agent, username), hubOf(own), trusted)).toBe('requester');
    },
  );
});
