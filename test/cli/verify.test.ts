import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PlacementV1beta1 } from '../../schemas/types.gen.ts';
import type { Verification } from '../../src/compiler/verify/index.ts';
import { app } from '../compiler/plan/states.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';
import type { ApiServer } from './api-server.ts';
import { refusal } from './api-server.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import {
  heldObjects,
  placementServer,
  simulated,
  verifiedHub,
  type Admit,
  type Answer,
} from './verified-hub.ts';

async function workspaceFor(hub: ApiServer): Promise<string> {
  const cwd = await folderWith({ kubeconfig: hub.kubeconfig, 'apps/hello/hub.yaml': app });
  expect((await runIn(cwd, ['synth', '--quiet'])).code).toBe(0);
  return cwd;
}

async function verify(cwd: string, ...options: readonly string[]): Promise<Ran> {
  return await runIn(cwd, ['verify', '--hub', '--kubeconfig', 'kubeconfig', ...options]);
}

async function verified(
  { admit, answer = simulated() }: { readonly admit?: Admit; readonly answer?: Answer },
  ...options: readonly string[]
): Promise<Ran & { readonly requests: readonly string[] }> {
  const hub = await verifiedHub(admit);
  const cwd = await workspaceFor(hub);
  const ran = await verify(cwd, '--placement-server', await placementServer(answer), ...options);
  return { ...ran, requests: hub.requests };
}

const lastLine = ({ out }: Ran): string => out.trimEnd().split('\n').at(-1) ?? '';

describe('verify --hub', () => {
  test('counts the answers that are as predicted', async () => {
    const ran = await verified({}, '--random', '20', '--seed', '7');
    expect(lastLine(ran)).toMatch(/^(\d+) of \1 answers equal \(2 Placements, 40 variations, 6 objects/);
    expect(ran.code).toBe(0);
  });

  test('writes nothing: all other requests are dry runs', async () => {
    const { requests } = await verified({});
    const writes = requests.filter((request) => !request.startsWith('GET '));
    expect(writes.length).toBeGreaterThan(3);
    expect(writes.every((request) => /[?&]dryRun=All(?:&|$)/.test(request))).toBe(true);
  });

  test('prints both answers of a prioritizer that the hub computes otherwise', async () => {
    const right = simulated();
    const wrong: Answer = (...request) => {
      const { status, body } = right(...request);
      const { prioritizeResults, ...rest } = body as {
        readonly prioritizeResults: readonly { readonly name: string; readonly scores: object }[];
      };
      const changed = prioritizeResults.map((each) =>
        each.name === 'Balance' ? { ...each, scores: { ...each.scores, c1: 42 } } : each,
      );
      return { status, body: { ...rest, prioritizeResults: changed } };
    };
    const ran = await verified({ answer: wrong });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('  prioritizer Balance\n    predicted  c1 -100\n    answered   c1 42\n');
  });

  test('names the admission policy that refuses an object', async () => {
    const message =
      "placements.cluster.open-cluster-management.io \"all\" is forbidden: ValidatingAdmissionPolicy 'owners' with binding 'all' denied request: no owner";
    const admit: Admit = (_method, pathname) =>
      pathname.includes('/placements/') ? refusal(422, 'Invalid', message) : undefined;
    const ran = await verified({ admit });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      `  request\n    predicted  accepted\n    answered   ${message}\n    because of ValidatingAdmissionPolicy owners (binding all)\n`,
    );
  });

  test('prints the fields that the hub would store otherwise', async () => {
    const admit: Admit = (_method, _pathname, written) => {
      if (written.kind !== 'AddOnDeploymentConfig') return undefined;
      const labels = { ...written.metadata.labels, team: 'platform' };
      const changed: KubernetesObject = { ...written, metadata: { ...written.metadata, labels } };
      return { status: 200, body: changed };
    };
    const ran = await verified({ admit });
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      '  metadata.labels.team\n    predicted  no such field\n    answered   platform\n',
    );
  });

  test('names the rule that is missing', async () => {
    const forbidden =
      'User "x" cannot patch resource "placements" in API group "cluster.open-cluster-management.io"';
    const admit: Admit = (_method, pathname) =>
      pathname.includes('/placements/')
        ? refusal(
            403,
            'Forbidden',
            `placements.cluster.open-cluster-management.io is forbidden: ${forbidden}`,
          )
        : undefined;
    const ran = await verified({ admit });
    expect(ran.out).toContain(
      'the user may not create and patch placements\n    grant a Role in namespace default with the rule apiGroups: ["cluster.open-cluster-management.io"], resources: ["placements"], verbs: ["create", "patch"]\n',
    );
  });

  test('asks a hub before OCM 1.3 by the names of its Placements', async () => {
    const right = simulated();
    const old: Answer = (method, pathname, placement) => {
      const [, namespace, name] = /^\/debug\/placements\/(\w+)\/(\w+)$/.exec(pathname) ?? [];
      const missing = { error: 'placement.cluster.open-cluster-management.io "" not found' };
      if (method !== 'GET' || namespace === undefined) return { status: 200, body: missing };
      expect(placement).toBeUndefined();
      const { status, body } = right('POST', '', placementNamed(name ?? ''));
      const { filteredPipelineResults, prioritizeResults } = body as Readonly<Record<string, object>>;
      return { status, body: { filteredPiplieResults: filteredPipelineResults, prioritizeResults } };
    };
    const ran = await verified({ answer: old }, '--random', '3');
    expect(ran.out).toContain(
      '  6 random variations: a hub before OCM 1.3 answers only for the Placements that it has\n',
    );
    expect(lastLine(ran)).toMatch(/^(\d+) of \1 answers equal \(2 Placements, 6 objects/);
    expect(ran.code).toBe(0);
  });

  test('asks again if the placement server closes the connection', async () => {
    const right = simulated();
    let requests = 0;
    const closing: Answer = (...request) =>
      ++requests % 2 === 1 ? { status: 0, body: '' } : right(...request);
    const ran = await verified({ answer: closing });
    expect(ran.out).not.toContain('not asked');
    expect(lastLine(ran)).toMatch(/^(\d+) of \1 answers equal \(2 Placements/);
  });

  test('says that the placement server is off, and how to enable it', async () => {
    const ran = await verified({ answer: () => ({ status: 404, body: '404 page not found' }) });
    expect(ran.out).toContain('2 Placements: the placement controller does not serve /debug/placements/\n');
    expect(ran.out).toContain('{ feature: PlacementDebugServer, mode: Enable }');
    expect(ran.code).toBe(0);
  });

  test.each([
    ['http://127.0.0.1:1', 'is not the address of a server with TLS'],
    ['https://user@127.0.0.1:1', 'is not the address of a server with TLS'],
  ])('rejects --placement-server %s', async (url, message) => {
    const cwd = await workspaceFor(await verifiedHub());
    const { code, err } = await verify(cwd, '--placement-server', url);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test.each([
    [['--random', '-1'], '--random -1 is not a number of variations'],
    [['--seed', '1'], '--seed repeats random variations'],
  ])('rejects %j', async (options, message) => {
    const cwd = await workspaceFor(await verifiedHub());
    const { code, err } = await verify(cwd, ...options);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('the reports of verify', () => {
  const refusing: Admit = (_method, pathname) =>
    pathname.includes('/clustermanagementaddons/')
      ? refusal(400, 'BadRequest', 'admission webhook "owners.example.com" denied the request: <no owner>')
      : undefined;

  test('JUnit has a failed test case per object, and skipped ones', async () => {
    const answer: Answer = () => ({ status: 404, body: '404 page not found' });
    const { code, out } = await verified({ admit: refusing, answer }, '-o', 'junit');
    expect(code).toBe(1);
    expect(out).toContain('failures="1" skipped="1"');
    expect(out).toContain(
      '<testcase classname="fleetwright.verify.object" name="ClusterManagementAddOn hello">',
    );
    expect(out).toContain('denied the request: &lt;no owner&gt;, because of webhook owners.example.com');
    expect(out).toContain('<testcase classname="fleetwright.verify" name="2 Placements">');
  });

  test('Markdown lists the differences in a table', async () => {
    const { out } = await verified({ admit: refusing }, '-o', 'markdown');
    expect(out).toContain('| object | part | predicted | answered | because of |\n');
    expect(out).toMatch(
      /\| ClusterManagementAddOn hello \| `request` \| `accepted` \| `.*` \| webhook owners/,
    );
  });

  test('JSON has all subjects', async () => {
    const { out } = await verified({}, '-o', 'json');
    const { subjects, unasked } = JSON.parse(out) as Verification;
    expect(unasked).toEqual([]);
    expect(subjects.filter(({ kind }) => kind === 'placement')).toEqual([
      { kind: 'placement', subject: 'Placement default/prod', answers: 1, disagreements: [] },
      { kind: 'placement', subject: 'Placement default/stage', answers: 1, disagreements: [] },
    ]);
  });

  test('plan names the age of the record in the repository', async () => {
    const hub = await verifiedHub();
    const cwd = await workspaceFor(hub);
    const server = await placementServer(simulated());
    await verify(cwd, '--placement-server', server, '--report', 'verified.json');
    const record = JSON.parse(await readFile(path.join(cwd, 'verified.json'), 'utf8')) as object;
    expect(record).toEqual({
      time: '2026-06-01T00:00:00Z',
      hubVersion: '1.3',
      hub: [],
      answers: 21,
      equal: 21,
      notAsked: [],
    });
    const { err } = await runIn(cwd, ['plan', '--against', 'hub', '--kubeconfig', 'kubeconfig']);
    expect(err).toContain('verified.json: the hub was verified 0 minutes ago: 21 of 21 answers equal\n');
  });

  test('without a pod of the placement controller, the command says how to name one', async () => {
    const cwd = await workspaceFor(await verifiedHub());
    const { code, out } = await verify(cwd);
    expect(code).toBe(0);
    expect(out).toContain(
      '2 Placements: namespace open-cluster-management-hub has no running pod with the label app=clustermanager-placement-controller\n    name the namespace of the placement controller with --hub-namespace, or its URL with --placement-server\n',
    );
  });

  test('a dry run asks whether the engine may delete what the output no longer has', async () => {
    const removed: KubernetesObject = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: {
        name: 'old',
        namespace: 'default',
        annotations: {
          'argocd.argoproj.io/tracking-id': 'hello:cluster.open-cluster-management.io/Placement:default/old',
        },
      },
      spec: {},
    };
    const message = 'admission webhook "keep.example.com" denied the request: in use';
    const admit: Admit = (method) => (method === 'DELETE' ? refusal(403, 'Forbidden', message) : undefined);
    const hub = await verifiedHub(admit, {}, [...heldObjects, removed]);
    const cwd = await workspaceFor(hub);
    const { code, out } = await verify(cwd, '--placement-server', await placementServer(simulated()));
    expect(code).toBe(1);
    expect(out).toContain(
      `removal of Placement default/old\n  request\n    predicted  deleted\n    answered   ${message}\n    because of webhook keep.example.com\n`,
    );
  });
});

function placementNamed(name: string): PlacementV1beta1 {
  const found = heldObjects.find(({ kind, metadata }) => kind === 'Placement' && metadata.name === name);
  if (found === undefined) throw new Error(`there is no Placement ${name}`);
  return found as unknown as PlacementV1beta1;
}
