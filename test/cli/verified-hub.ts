import { once } from 'node:events';
import https from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { cel028 } from '../../src/engines/cel/behaviour.ts';
import { isJsonMap } from '../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { simulator, type ScheduledObjects } from '../../src/compiler/verify/index.ts';
import type { PlacementV1beta1 } from '../../schemas/types.gen.ts';
import { serverCertificate } from '../client/server-certificate.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';
import { serve, textOf, type ApiServer, type Response } from './api-server.ts';

const fleet = fleetOf(clusters);
const written = parseAllDocuments(`${fleet}---\n${app}`)
  .map((document) => document.toJS() as KubernetesObject | null)
  .filter((object) => object !== null);
const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
const computed = Array.from(hubObjects(resolveText(app, { fleet }).resolution, target), timed);

/** A hub writes the times of all conditions, which predictions leave out. */
function timed(object: KubernetesObject): KubernetesObject {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return JSON.parse(JSON.stringify(object), (_key, value: unknown) => {
    const isCondition = isJsonMap(value) && 'type' in value && 'status' in value && 'reason' in value;
    return isCondition ? { lastTransitionTime, ...value } : value;
  }) as KubernetesObject;
}

/** The objects of a hub with the app and its fleet, and what the hub has computed for them. */
export const heldObjects: readonly KubernetesObject[] = [
  ...new Map([...written, ...computed].map((object) => [identityOf(object), object])).values(),
];

function identityOf({ kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** What a hub makes of a write: the stored object, or a refusal. Undefined: it stores what is written. */
export type Admit = (method: string, pathname: string, written: KubernetesObject) => Response | undefined;

const kinds = [
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ClusterManagementAddOn',
  'ManagedClusterAddOn',
  'Placement',
  'Namespace',
];

/** An API server with these objects. It stores nothing. */
export async function verifiedHub(
  admit: Admit = () => undefined,
  bodies: Readonly<Record<string, object>> = {},
  objects: readonly KubernetesObject[] = heldObjects,
): Promise<ApiServer> {
  return await serve(async ({ pathname, searchParams }, request) => {
    const body = bodies[pathname];
    if (body !== undefined) return { status: 200, body };
    if (request.method !== 'GET') {
      if (searchParams.get('dryRun') !== 'All') return { status: 500, body: {} };
      const written = JSON.parse(await textOf(request)) as KubernetesObject;
      return admit(request.method ?? '', pathname, written) ?? { status: 200, body: stored(written) };
    }
    const version = /^\/(?:apis\/[^/]+|api)\/v\w+$/.exec(pathname);
    if (version !== null)
      return {
        status: 200,
        body: {
          resources: kinds.map((kind) => ({
            name: `${kind.toLowerCase()}s`,
            kind,
            namespaced: !/Template|Management|Namespace/.test(kind),
          })),
        },
      };
    const found = objects.find((object) => isAt(object, pathname));
    if (found !== undefined) return { status: 200, body: stored(found) };
    if (!pathname.startsWith('/apis/')) return { status: 404, body: { reason: 'NotFound', code: 404 } };
    const name = path.basename(pathname);
    const items = objects.filter(({ kind }) => `${kind.toLowerCase()}s` === name);
    if (/\/namespaces\//.test(pathname) || name === 'clustermanagers')
      return { status: 404, body: { reason: 'NotFound', code: 404 } };
    return { status: 200, body: { kind: 'List', items } };
  });
}

function stored(object: KubernetesObject): KubernetesObject {
  const metadata = {
    ...object.metadata,
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  return { ...object, metadata };
}

function isAt({ kind, metadata: { namespace, name = '' } }: KubernetesObject, pathname: string): boolean {
  const below = `${namespace === undefined ? '' : `/namespaces/${namespace}`}/${kind.toLowerCase()}s/${name}`;
  return pathname.endsWith(below);
}

const running: https.Server[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Answers a request to the placement server, given the body as JSON. It closes the connection instead if the status is 0. */
export type Answer = (method: string, pathname: string, body: PlacementV1beta1 | undefined) => Response;

/** A server with TLS on a loopback port, which ends with the test. Returns its URL. */
export async function placementServer(answer: Answer): Promise<string> {
  const { certificate, key } = serverCertificate('placement');
  const server = https.createServer({ cert: certificate, key }, (request, response) => {
    void respond(request, response);
  });
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    const placement = text === '' ? undefined : (JSON.parse(text) as PlacementV1beta1);
    const { status, body } = answer(request.method ?? '', request.url ?? '', placement);
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers as the placement server of OCM 1.3 does on a hub with these objects. */
export function simulated(objects: readonly KubernetesObject[] = heldObjects): Answer {
  const of = (kind: string): never[] => objects.filter((object) => object.kind === kind) as never[];
  const scheduled: ScheduledObjects = {
    managedClusters: of('ManagedCluster'),
    managedClusterSets: of('ManagedClusterSet'),
    managedClusterSetBindings: of('ManagedClusterSetBinding'),
    addOnPlacementScores: of('AddOnPlacementScore'),
    placementDecisions: of('PlacementDecision'),
  };
  const simulate = simulator(scheduled, { now: Date.parse('2026-06-01T00:00:00Z'), cel: cel028 });
  return (_method, _pathname, placement) => {
    if (placement === undefined) return { status: 200, body: { error: 'no body' } };
    const answer = simulate(placement, 'of its sets');
    if ('reason' in answer) return { status: 200, body: { error: answer.message } };
    const { filters, prioritizers, totals, choice = [] } = answer;
    const last = filters.at(-1)?.clusters ?? [];
    return {
      status: 200,
      body: {
        placement,
        filteredPipelineResults: filters.map(({ name, clusters: passed }, index) => ({
          name: index === 0 ? name : `Predicate,${name}`,
          filteredClusters:
            index === 0 ? passed : [...choice, ...last.filter((cluster) => !choice.includes(cluster))],
        })),
        prioritizeResults: prioritizers.map(({ scores, ...rest }) => ({
          ...rest,
          scores: Object.fromEntries(scores),
        })),
        aggregatedScores: Array.from(totals ?? [], ([clusterName, score]) => ({ clusterName, score })),
      },
    };
  };
}
