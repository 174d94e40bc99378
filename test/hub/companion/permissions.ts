import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import type { PolicyRule } from '../../../constructs/companion-permissions.ts';
import type { Metrics } from '../../../controller/operation/metrics.ts';
import type { KubernetesObject } from '../../../schemas/object-meta.ts';

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
