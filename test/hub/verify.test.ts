import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient, ApiError } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, reference, serviceAccount } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { kubeconfigAs } from './companion/permissions.ts';
import { until } from './companion/until.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { rejecting } from './status/faulty-add-ons.ts';
import { startWebhook } from './verify/admission-webhook.ts';
import { verifiedWorkspace, type Ran, type VerifiedWorkspace } from './verify/verified-workspace.ts';

// `verify --hub` against real hubs: OCM's scheduler behind a port-forward, and the admission of a real API server.

/** A test build of the compiler computes Balance incorrectly while this is set. */
const build = vi.hoisted(() => ({ isWrong: false }));
vi.mock(import('../../src/compiler/place/prioritizers/balance.ts'), async (original) => {
  const { balanceScores } = await original();
  return {
    balanceScores: (...parameters) => {
      const scores = balanceScores(...parameters);
      return build.isWrong ? scores.map((score) => score + 2) : scores;
    },
  };
});

/** The numbers of Placements and of random variations of each. */
const placements = 10;
const variations = Number(process.env['VERIFY_VARIATIONS'] ?? 30);
const seed = process.env['VERIFY_SEED'] ?? '1';

let running: RunningHub;
let hub: Hub;
let workspace: VerifiedWorkspace;
let auditLog: string;

beforeAll(async () => {
  auditLog = path.join(mkdtempSync(path.join(tmpdir(), 'fleetwright-audit-')), 'audit.log');
  running = await startHub({
    placementServer: 'post',
    auditLog,
    mutatingPolicies: true,
    // Generated taints have times of the past, which the webhook would replace.
    admissionWebhooks: false,
  });
  hub = connect(running);
  workspace = await verifiedWorkspace(hub, { seed: 1, clusters: 16, placements, release: '1.3', held: 4 });
});
afterAll(async () => {
  hub.close();
  await running.stop();
});

/** What a test adds to the hub, and takes back. */
const added: KubernetesObject[] = [];
afterEach(async () => {
  build.isWrong = false;
  for (const object of added.splice(0).toReversed()) await hub.client.delete(object);
});

async function add(...objects: readonly object[]): Promise<void> {
  for (const object of objects as readonly KubernetesObject[]) {
    await hub.client.apply(object);
    added.push(object);
  }
}

async function verify(...options: readonly string[]): Promise<Ran> {
  return await workspace.run('verify', '--hub', '--kubeconfig', running.kubeconfig, ...options);
}

const lastLine = ({ out }: Ran): string => out.trimEnd().split('\n').at(-1) ?? '';

/** All answers are equal: those about Placements, the objects of the output, and what the hub has computed. */
function allEqual(ofPlacements: string): RegExp {
  return new RegExp(
    String.raw`^(\S+) of \1 answers equal \(${ofPlacements}, 14 objects, \d\d+ statuses, \d+ works and permissions, 1 release\)$`,
  );
}

describe('a hub with the placement server of OCM 1.3', () => {
  test('answers all Placements, random variations and dry runs as predicted', async () => {
    const ran = await verify('--random', String(variations), '--seed', seed);
    process.stdout.write(`verify: ${lastLine(ran)}\n`);
    const count = (placements * variations).toLocaleString('en');
    expect(ran.out).not.toContain('not asked');
    expect(lastLine(ran)).toMatch(allEqual(`${placements} Placements, ${count} variations`));
    expect(ran.code).toBe(0);
  });

  test('answers at its URL, too', async () => {
    const ran = await verify('--placement-server', running.placementServer ?? '');
    expect(lastLine(ran)).toMatch(allEqual('10 Placements'));
  });

  test('finds a prioritizer that the compiler computes incorrectly', async () => {
    build.isWrong = true;
    const { code, out } = await verify('--random', '2', '--seed', seed);
    expect(code).toBe(1);
    expect(out).toMatch(/ {2}prioritizer Balance\n {4}predicted {2}\S+ 102/);
  });
});

const admissionregistration = 'admissionregistration.k8s.io';

/** The rule of a webhook or a policy. */
function ruleFor(apiGroup: string, resource: string): object {
  return {
    apiGroups: [apiGroup],
    apiVersions: ['*'],
    operations: ['CREATE', 'UPDATE'],
    resources: [resource],
  };
}

function webhookConfiguration(kind: 'Mutating' | 'Validating', name: string, clientConfig: object): object {
  return {
    apiVersion: `${admissionregistration}/v1`,
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig,
        rules: [
          ruleFor(
            'addon.open-cluster-management.io',
            kind === 'Mutating' ? 'addondeploymentconfigs' : 'clustermanagementaddons',
          ),
        ],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  };
}

describe('admission of the hub is named', () => {
  test('a ValidatingAdmissionPolicy that refuses an object', async () => {
    await add(...rejecting('no-placements', 'cluster.open-cluster-management.io', 'placements', 'false'));
    await vi.waitFor(
      async () => {
        const ran = await verify();
        expect(ran.code).toBe(1);
        expect(ran.out).toContain(
          '    because of ValidatingAdmissionPolicy no-placements (binding no-placements)\n',
        );
        const [, equal = 0, all = 0] = /^(\d+) of (\d+) answers equal/.exec(lastLine(ran)) ?? [];
        expect(Number(all) - Number(equal)).toBe(10);
      },
      { timeout: 60_000, interval: 1000 },
    );
  });

  test('a MutatingAdmissionPolicy that changes an object', async () => {
    const apiVersion = `${admissionregistration}/v1beta1`;
    await add(
      {
        apiVersion,
        kind: 'MutatingAdmissionPolicy',
        metadata: { name: 'labels' },
        spec: {
          matchConstraints: { resourceRules: [ruleFor('cluster.open-cluster-management.io', 'placements')] },
          failurePolicy: 'Fail',
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: {
                expression: 'Object{metadata: Object.metadata{labels: {"team": "platform"}}}',
              },
            },
          ],
        },
      },
      {
        apiVersion,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: { name: 'labels' },
        spec: { policyName: 'labels' },
      },
    );
    await vi.waitFor(
      async () => {
        const { code, out } = await verify();
        expect(code).toBe(1);
        expect(out).toContain(
          '  metadata.labels.team\n    predicted  no such field\n    answered   platform\n    because of MutatingAdmissionPolicy labels\n',
        );
      },
      { timeout: 60_000, interval: 1000 },
    );
  });

  test('webhooks that change and refuse objects', async () => {
    const changing = await startWebhook(() => ({
      patch: [{ op: 'add', path: '/spec/agentInstallNamespace', value: 'elsewhere' }],
    }));
    const refusing = await startWebhook(() => ({ refused: 'ask the platform team' }));
    try {
      await add(
        webhookConfiguration('Mutating', 'namespaces', changing.clientConfig),
        webhookConfiguration('Validating', 'owners', refusing.clientConfig),
      );
      await vi.waitFor(
        async () => {
          const { code, out } = await verify();
          expect(code).toBe(1);
          expect(out).toContain(
            '  spec.agentInstallNamespace\n    predicted  open-cluster-management-agent-addon\n    answered   elsewhere\n    because of webhook namespaces.example.com (MutatingWebhookConfiguration namespaces)\n',
          );
          expect(out).toContain('ask the platform team\n    because of webhook owners.example.com\n');
        },
        { timeout: 60_000, interval: 1000 },
      );
    } finally {
      await Promise.all([changing.close(), refusing.close()]);
    }
  });
});

/** A definition of the kind of an engine that takes any content. */
function engineDefinition(group: string, kind: string, plural: string, version: string): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

test('objects of any kind in the inventory of an engine are asked about, unless dist/ has them', async () => {
  const kept = `leftover-${workspace.namespace}`;
  const [argo, flux] = ['argoproj.io', 'kustomize.toolkit.fluxcd.io'];
  const configMap = (name: string, annotations = {}): object => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', annotations },
  });
  await add(
    engineDefinition(argo, 'Application', 'applications', 'v1alpha1'),
    engineDefinition(flux, 'Kustomization', 'kustomizations', 'v1'),
    configMap(`${kept}-a`),
    configMap(`${kept}-b`),
    configMap(`${kept}-c`, { 'argocd.argoproj.io/sync-options': 'Prune=false' }),
  );
  const entry = (group: string, version: string, kind: string, name: string): object => {
    return { group, version, kind, namespace: 'default', name };
  };
  const application = {
    apiVersion: `${argo}/v1alpha1`,
    kind: 'Application',
    metadata: { name: 'app', namespace: 'default' },
    spec: { source: { path: 'dist/app' } },
    status: {
      resources: [
        entry('', 'v1', 'ConfigMap', `${kept}-a`),
        entry('', 'v1', 'ConfigMap', `${kept}-c`),
        entry('', 'v1', 'ConfigMap', 'gone'),
        { group: '', version: 'v1', kind: 'Namespace', name: workspace.namespace },
      ],
    },
  };
  const kustomization = {
    apiVersion: `${flux}/v1`,
    kind: 'Kustomization',
    metadata: { name: 'app', namespace: 'default' },
    spec: { path: './dist/app' },
    status: { inventory: { entries: [{ id: `default_${kept}-b__ConfigMap`, v: 'v1' }] } },
  };
  await until('the kinds of the engines', async () => {
    try {
      await add(application, kustomization);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.refusal.code !== 404) throw error;
      return false;
    }
  });
  const removals = async (): Promise<readonly string[]> => {
    const { out } = await verify('-o', 'json');
    const { subjects } = JSON.parse(out) as {
      readonly subjects: readonly { readonly kind: string; readonly subject: string }[];
    };
    return subjects.flatMap(({ kind, subject }) => (kind === 'removal' ? [subject] : [])).sort();
  };
  expect(await removals()).toEqual([`ConfigMap default/${kept}-a`, `ConfigMap default/${kept}-b`]);
});

test('--app limits the statuses, the works and the permissions', async () => {
  const { out } = await verify('--app', 'app');
  expect(lastLine({ code: 0, out, err: '' })).toMatch(allEqual('10 Placements'));
  const other = path.join(workspace.folder, 'apps/other');
  mkdirSync(other);
  writeFileSync(path.join(other, 'other.yaml'), JSON.stringify(reference(namespaceKind, 'other')));
  try {
    const limited = await verify('--app', 'other');
    expect(lastLine(limited)).toBe('1 of 1 answers equal (1 release)');
  } finally {
    rmSync(other, { recursive: true });
  }
});

describe('the permissions of docs/verify/permissions.yaml', () => {
  let kubeconfig: string;
  beforeAll(async () => {
    const file = path.join(import.meta.dirname, '../../docs/verify/permissions.yaml');
    const objects = parseAllDocuments(readFileSync(file, 'utf8')).map(
      (document) => document.toJS() as KubernetesObject,
    );
    for (const object of objects) await hub.client.apply(object);
    const token = await hub.client.createToken(reference(serviceAccount, 'verify', 'fleetwright'));
    const folder = path.dirname(auditLog);
    kubeconfig = kubeconfigAs(running.kubeconfig, { folder, name: 'verify', change: () => ({ token }) });
  });

  const verifyAs = async (...options: readonly string[]): Promise<Ran> =>
    await workspace.run('verify', '--hub', '--kubeconfig', kubeconfig, ...options);

  test('are enough, and allow no write', async () => {
    await vi.waitFor(
      async () => {
        const ran = await verifyAs('--random', '2', '--seed', seed);
        expect(ran.out).not.toContain('not asked');
        expect(lastLine(ran)).toMatch(allEqual('10 Placements, 20 variations'));
        expect(ran.code).toBe(0);
      },
      { timeout: 60_000, interval: 1000 },
    );
    const client = new ApiClient(readAccess(kubeconfig));
    const namespace = reference(namespaceKind, 'written');
    await until('an admission policy', async () => {
      try {
        await client.create(namespace);
        await hub.client.delete(namespace);
        return false;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return error.refusal.message.includes('the account of fleetwright verify writes nothing');
      }
    });
    client.close();
  });

  test.each([
    [
      'placements',
      'apiGroups: ["cluster.open-cluster-management.io"], resources: ["placements"], verbs: ["create"',
    ],
    ['/debug/placements/*', 'nonResourceURLs: ["/debug/placements/*"], verbs: ["get", "post"]'],
    ['mutatingwebhookconfigurations', 'resources: ["mutatingwebhookconfigurations"], verbs: ["list"]'],
  ])('without the rule for %s, the command names it', async (name, rule) => {
    const role = reference(['rbac.authorization.k8s.io/v1', 'ClusterRole'], 'fleetwright-verify');
    const whole = await hub.client.get(role.apiVersion, role.kind, 'fleetwright-verify');
    const rules = (whole?.['rules'] ?? []) as readonly {
      readonly resources?: readonly string[];
      readonly nonResourceURLs?: readonly string[];
      readonly verbs: readonly string[];
    }[];
    const withoutName = rules
      .filter(({ nonResourceURLs = [] }) => !nonResourceURLs.includes(name))
      .map((each) =>
        each.resources === undefined || each.verbs.includes('get')
          ? each
          : { ...each, resources: each.resources.filter((resource) => resource !== name) },
      )
      .filter(({ resources }) => resources?.length !== 0);
    await hub.client.merge(role, { rules: withoutName });
    try {
      await vi.waitFor(
        async () => {
          const { out } = await verifyAs();
          expect(out).toContain('not asked:\n');
          expect(out).toContain(rule);
        },
        { timeout: 60_000, interval: 1000 },
      );
    } finally {
      await hub.client.merge(role, { rules });
    }
  });
});

test('the audit log has no write of the command that is not a dry run', () => {
  const events = readFileSync(auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ userAgent }) => userAgent?.startsWith('fleetwright/'));
  const writes = events.filter(({ objectRef }) => objectRef?.subresource !== 'portforward');
  expect(writes.length).toBeGreaterThan(50);
  const stored = writes.filter(({ requestURI }) => !/[?&]dryRun=All(?:&|$)/.test(requestURI));
  expect(stored.map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
});

interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly objectRef?: { readonly subresource?: string };
}

describe('a hub before OCM 1.3', () => {
  let old: RunningHub;
  let oldHub: Hub;
  beforeAll(async () => {
    old = await startHub({ placementServer: 'get', admissionWebhooks: false });
    oldHub = connect(old);
  });
  afterAll(async () => {
    oldHub.close();
    await old.stop();
  });

  test('answers for the Placements that it has', async () => {
    const held = 6;
    const onOld = await verifiedWorkspace(oldHub, {
      seed: 2,
      clusters: 16,
      placements,
      release: '1.3',
      held,
    });
    const ran = await onOld.run('verify', '--hub', '--kubeconfig', old.kubeconfig, '--random', '5');
    expect(ran.out).toContain(
      '  50 random variations: a hub before OCM 1.3 answers only for the Placements that it has\n',
    );
    expect(lastLine(ran)).toMatch(allEqual('6 Placements'));
    expect(ran.code).toBe(0);
  });
});
