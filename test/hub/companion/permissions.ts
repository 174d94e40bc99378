import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { PolicyRule } from '../../../constructs/companion-permissions.ts';
import type { Metrics } from '../../../src/controller/operation/metrics.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import type { ApiClient, Impersonated } from '../client/api-client.ts';
import { reference, type KindOf } from '../client/kinds.ts';
import { until } from './until.ts';

interface Kubeconfig {
  readonly users: readonly { readonly name: string; readonly user: object }[];
}

/** Writes a kubeconfig with somebody else as its user into a folder; returns its path. */
export function kubeconfigAs(
  kubeconfig: string,
  {
    folder,
    name,
    change,
  }: { readonly folder: string; readonly name: string; readonly change: (user: object) => object },
): string {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const users = config.users.map(({ user, ...entry }) => ({ ...entry, user: change(user) }));
  const file = path.join(folder, `${name}.kubeconfig`);
  writeFileSync(file, stringify({ ...config, users }));
  return file;
}

/** What a program asked of its API server, each as `verb resource` in the words of RBAC. */
export interface CountedRequests {
  readonly answered: readonly string[];
  /** For want of a permission. */
  readonly refused: readonly string[];
}

export async function countedRequests(metrics: Metrics): Promise<CountedRequests> {
  const [answered, refused] = [new Set<string>(), new Set<string>()];
  const line = /^fleetwright_api_requests_total\{verb="(\w+)",resource="([^"]+)",code="(\d+)"\}/;
  for (const each of (await metrics.registry.metrics()).split('\n')) {
    const [, verb = '', resource = '/', code] = line.exec(each) ?? [];
    // Everybody may ask what there is.
    if (resource.startsWith('/')) continue;
    const request = `${verb === 'apply' ? 'patch' : verb} ${resource}`;
    if (code?.startsWith('2') === true) answered.add(request);
    if (code === '403') refused.add(request);
  }
  return { answered: [...answered].sort(), refused: [...refused].sort() };
}

/** What roles allow, each as `verb resource`. */
export function allowedBy(roles: readonly KubernetesObject[]): readonly string[] {
  const rules = roles.flatMap((role) => (role['rules'] ?? []) as readonly PolicyRule[]);
  const allowed = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  return [...new Set(allowed)].sort();
}

const accessReviewKind: KindOf = ['authorization.k8s.io/v1', 'SubjectAccessReview'];

/**
 * Waits until an API server lets somebody do all that rules say: it hears of roles and bindings a moment after they were written.
 *
 * @param namespace - where; undefined for all namespaces and what is in none
 */
export async function untilAllowed(
  server: ApiClient,
  { user, groups }: Impersonated,
  rules: readonly PolicyRule[],
  namespace?: string,
): Promise<void> {
  for (const { apiGroups, resources, resourceNames = [''], verbs } of rules)
    for (const group of apiGroups)
      for (const each of resources)
        for (const name of resourceNames)
          for (const verb of verbs) {
            const [resource, subresource] = each.split('/');
            const resourceAttributes = { namespace, verb, group, resource, subresource, name };
            const review = { ...reference(accessReviewKind, ''), spec: { user, groups, resourceAttributes } };
            await until(`a permission of ${user} to ${verb} ${each}`, async () => {
              const { allowed } = (await server.create(review))['status'] as { readonly allowed: boolean };
              return allowed;
            });
          }
}

interface Binding extends KubernetesObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

function isBinding(object: KubernetesObject): object is Binding {
  return object.kind.endsWith('RoleBinding');
}

/** Waits until an API server lets users and ServiceAccounts do all that roles say, of which the bindings are among them. */
export async function untilBound(server: ApiClient, objects: readonly KubernetesObject[]): Promise<void> {
  for (const { metadata, roleRef, subjects } of objects.filter(isBinding)) {
    const role = objects.find(
      (object) =>
        object.kind === roleRef.kind &&
        object.metadata.name === roleRef.name &&
        (object.kind === 'ClusterRole' || object.metadata.namespace === metadata.namespace),
    );
    const rules = (role?.['rules'] ?? []) as readonly PolicyRule[];
    for (const { kind, name, namespace = '' } of subjects) {
      const user = kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`;
      await untilAllowed(server, { user, groups: [] }, rules, metadata.namespace);
    }
  }
}
