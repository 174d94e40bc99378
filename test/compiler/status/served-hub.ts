import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { Condition } from '../../../schemas/types.gen.ts';
import { refusal, serve, type ApiServer } from '../../cli/api-server.ts';
import { folderWith, runIn, type Ran } from '../../cli/terminal.ts';
import { app, clusters } from '../plan/states.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

/** A condition since midnight; the command runs 24 h later, at 2026-06-01T00:00:00Z. */
export function condition(
  type: string,
  status: Condition['status'],
  reason: string,
  message = '',
): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-05-31T00:00:00Z' };
}

const healthy: readonly Condition[] = [
  condition('RegistrationApplied', 'True', 'SetPermissionApplied'),
  condition('Configured', 'True', 'ConfigurationsConfigured'),
  condition('ManifestApplied', 'True', 'AddonManifestApplied'),
  condition('Progressing', 'False', 'Completed'),
  condition('Available', 'True', 'ProbeAvailable'),
];

const joined = (name: string): string => `
  - { type: ${name}, status: "True", reason: Joined, message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }`;

/** The fleet of `states.ts`, with the conditions of clusters that have joined. */
export const fleet: string = fleetOf(clusters).replaceAll(
  'conditions:',
  `conditions:${joined('HubAcceptedManagedCluster')}${joined('ManagedClusterJoined')}`,
);

type Writable = Record<string, unknown> & { metadata: Record<string, unknown> };

/** What a test may change on the hub. */
export interface HubObjects {
  readonly objects: KubernetesObject[];
  /** Returns the object of a kind, to edit it. */
  get(kind: string, name: string, namespace?: string): Writable;
  remove(kind: string, name: string, namespace?: string): void;
  /** Lets the work agent of a cluster report on the work of `hello`, with a message on its manifest. */
  reportWork(cluster: string, applied: 'True' | 'False', available: 'True' | 'False', message?: string): void;
  /** Replaces conditions of the add-on `hello` on a cluster. */
  report(cluster: string, ...conditions: readonly Condition[]): void;
}

/** The objects of a hub on which an app is rolled out, and every add-on is healthy. */
export function hubAtRest(text = app, fleetText = fleet): HubObjects {
  const { resolution } = resolveText(text, { fleet: fleetText });
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1alpha1' } as const;
  const created = [...hubObjects(resolution, target)].filter(
    ({ kind }) => kind === 'ManagedClusterAddOn' || kind === 'ManifestWork' || kind === 'PlacementDecision',
  );
  const written = parseAllDocuments(`${fleetText}---\n${text}`)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
  const objects = structuredClone([...written, ...created]);
  const find = (kind: string, name: string, namespace?: string): number => {
    const position = objects.findIndex(
      ({ kind: itsKind, metadata }) =>
        itsKind === kind && metadata.name === name && metadata.namespace === namespace,
    );
    if (position < 0) throw new Error(`no ${kind} ${name}`);
    return position;
  };
  const hub: HubObjects = {
    objects,
    get: (...identity) => objects[find(...identity)] as unknown as Writable,
    remove: (...identity) => void objects.splice(find(...identity), 1),
    reportWork: (cluster, applied, available, message = '') => {
      const work = hub.get('ManifestWork', 'addon-hello-deploy-0', cluster);
      const conditions = (text: string): readonly object[] => [
        { ...condition('Applied', applied, 'Applied', text), observedGeneration: 1 },
        { ...condition('Available', available, 'Available', text), observedGeneration: 1 },
      ];
      const resourceMeta = { ordinal: 0, kind: 'ConfigMap', namespace: 'agents', name: 'agent' };
      work.metadata['generation'] = 1;
      work['status'] = {
        conditions: conditions(''),
        resourceStatus: { manifests: [{ resourceMeta, conditions: conditions(message) }] },
      };
    },
    report: (cluster, ...conditions) => {
      const addOn = hub.get('ManagedClusterAddOn', 'hello', cluster);
      const status = addOn['status'] as { conditions?: readonly Condition[] };
      const types = new Set(conditions.map(({ type }) => type));
      addOn['status'] = {
        ...status,
        conditions: [...(status.conditions ?? []).filter(({ type }) => !types.has(type)), ...conditions],
      };
    },
  };
  for (const { kind, metadata } of objects) {
    if (kind === 'ManifestWork') hub.reportWork(metadata.namespace ?? '', 'True', 'True');
    if (kind !== 'ManagedClusterAddOn') continue;
    Object.assign(metadata, { creationTimestamp: '2026-05-31T00:00:00Z' });
    hub.report(metadata.namespace ?? '', ...healthy);
  }
  return hub;
}

/** Serves objects as an API server does. @param refused - plurals that the credentials do not allow to read */
export async function served(
  objects: readonly KubernetesObject[],
  refused: readonly string[] = [],
): Promise<ApiServer> {
  return await serve(({ pathname, searchParams }) => {
    if (refused.includes(path.basename(pathname))) return refusal(403, 'Forbidden', 'no');
    const [, namespace] = /\/namespaces\/([^/]+)\//.exec(pathname) ?? [];
    if (!/^\/apis?\//.test(pathname)) return refusal(404, 'NotFound', 'no');
    const [, label, value] = /^([^=]+)=(.*)$/.exec(searchParams.get('labelSelector') ?? '') ?? [];
    const items = objects.filter(
      ({ kind, metadata }) =>
        `${kind.toLowerCase().replace(/y$/, 'ie')}s` === path.basename(pathname) &&
        (namespace === undefined || metadata.namespace === namespace) &&
        (label === undefined || metadata.labels?.[label] === value),
    );
    return { status: 200, body: { kind: 'List', items } };
  });
}

/** Runs `status` on a hub with these objects. */
export async function status(
  { objects }: Pick<HubObjects, 'objects'>,
  options: readonly string[] = [],
  text = app,
): Promise<Ran> {
  const server = await served(objects);
  const cwd = await folderWith({ kubeconfig: server.kubeconfig, 'apps/hello/hub.yaml': text });
  return await runIn(cwd, ['status', '--kubeconfig', 'kubeconfig', ...options]);
}
