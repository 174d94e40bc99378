import { describe, expect, test } from 'vitest';
import type { PlacementV1beta1 } from '../../schemas/types.gen.ts';
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

function placementNamed(name: string): PlacementV1beta1 {
  const found = heldObjects.find(({ kind, metadata }) => kind === 'Placement' && metadata.name === name);
  if (found === undefined) throw new Error(`there is no Placement ${name}`);
  return found as unknown as PlacementV1beta1;
}
