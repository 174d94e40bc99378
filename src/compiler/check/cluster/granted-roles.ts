import { defaultClusterRoles } from '../../../base/authorization/default-cluster-roles.ts';
import { policyRulesOf, type PolicyRule } from '../../../base/authorization/policy-rule.ts';
import { addToGroup } from '../../../base/collections/groups.ts';
import { isJsonMap, type JsonMap } from '../../../base/json/json-map.ts';
import type { LabelSelector } from '../../../../schemas/types.gen.ts';
import { compileLabelSelector, matchesLabels } from '../../place/label-selector.ts';
import type { DeliveredManifest } from './deliveries.ts';

/** A ServiceAccount of a cluster. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** What a binding refers to. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
}

/** The permissions of a ServiceAccount in one namespace. */
export interface Permissions {
  readonly rules: readonly PolicyRule[];
  /** The roles that are bound, but not among the objects. */
  readonly missing: readonly string[];
  /** Whether a binding names the ServiceAccount itself, not only a group of it. */
  readonly isBound: boolean;
}

const group = 'rbac.authorization.k8s.io';

/** The resources whose objects grant permissions. */
export const roleResources: ReadonlySet<string> = new Set([
  'clusterrolebindings',
  'clusterroles',
  'rolebindings',
  'roles',
]);

/** Whether a manifest is a Role, a ClusterRole or a binding of one. */
export function grants({ resource }: Pick<DeliveredManifest, 'resource'>): boolean {
  return resource.group === group && roleResources.has(resource.resource);
}

interface ClusterRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  readonly selectors: readonly LabelSelector[];
}

/** The Roles, ClusterRoles and bindings of one cluster. As DefaultRuleResolver of Kubernetes. */
export class Roles {
  readonly #roles = new Map<string, PolicyRule[]>();
  readonly #clusterRoles = new Map<string, ClusterRole>();
  readonly #clusterRoleBindings: JsonMap[] = [];
  readonly #roleBindings = new Map<string, JsonMap[]>();

  constructor(manifests: Iterable<DeliveredManifest>) {
    for (const { name, labels, rules, aggregates } of defaultClusterRoles)
      this.#clusterRoles.set(name, {
        name,
        labels,
        rules,
        selectors: aggregates === undefined ? [] : [{ matchLabels: { [aggregates]: 'true' } }],
      });
    for (const manifest of manifests) this.#add(manifest);
  }

  #add({ object, resource: { resource, namespace, name } }: DeliveredManifest): void {
    if (resource === 'roles')
      for (const rule of policyRulesOf(object)) addToGroup(this.#roles, `${namespace}/${name}`, rule);
    if (resource === 'roles' && !this.#roles.has(`${namespace}/${name}`))
      this.#roles.set(`${namespace}/${name}`, []);
    if (resource === 'clusterroles') this.#clusterRoles.set(name, clusterRoleOf(name, object));
    if (resource === 'clusterrolebindings') this.#clusterRoleBindings.push(object);
    if (resource === 'rolebindings') addToGroup(this.#roleBindings, namespace, object);
  }

  /** Returns the rules of a role, or undefined if it is not among the objects. As GetRoleReferenceRules. */
  rulesOf({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    if (kind === 'Role') return this.#roles.get(`${namespace}/${name}`);
    return kind === 'ClusterRole' ? this.#clusterRules(name, new Set()) : undefined;
  }

  /** As ClusterRoleAggregationController: the rules of the ClusterRoles that a selector matches replace those of the object. */
  #clusterRules(name: string, visited: Set<string>): readonly PolicyRule[] | undefined {
    const role = this.#clusterRoles.get(name);
    if (role === undefined || role.selectors.length === 0) return role?.rules;
    visited.add(name);
    const selectors = role.selectors.map(compileLabelSelector);
    return [...this.#clusterRoles.values()]
      .filter((other) => !visited.has(other.name))
      .filter(({ labels }) =>
        selectors.some((selector) => !('error' in selector) && matchesLabels(selector, labels)),
      )
      .flatMap((other) => this.#clusterRules(other.name, visited) ?? []);
  }

  /** Returns the permissions of a ServiceAccount in a namespace, or for the whole cluster with an empty one. As VisitRulesFor. */
  permissionsOf(account: ServiceAccount, namespace: string): Permissions {
    const bindings = [
      ...this.#clusterRoleBindings.map((binding) => ({ binding, home: '' })),
      ...(this.#roleBindings.get(namespace) ?? []).map((binding) => ({ binding, home: namespace })),
    ];
    const rules: PolicyRule[] = [];
    const missing = new Set<string>();
    let isBound = false;
    for (const { binding, home } of bindings) {
      const subject = subjectOf(binding, account, home);
      if (subject === undefined) continue;
      if (subject !== 'group') isBound = true;
      const reference = roleReferenceOf(binding);
      const granted = this.rulesOf(reference, home);
      if (granted === undefined) missing.add(roleWords(reference, home));
      else rules.push(...granted);
    }
    return { rules, missing: [...missing], isBound };
  }

  /** Returns the permissions of a ServiceAccount anywhere. */
  everythingOf(account: ServiceAccount): Permissions {
    const all = ['', ...this.#roleBindings.keys()].map((namespace) => this.permissionsOf(account, namespace));
    return {
      rules: all.flatMap(({ rules }) => rules),
      missing: [...new Set(all.flatMap(({ missing }) => missing))],
      isBound: all.some(({ isBound }) => isBound),
    };
  }
}

function clusterRoleOf(name: string, object: JsonMap): ClusterRole {
  const { metadata, aggregationRule } = object;
  const labels = isJsonMap(metadata) && isJsonMap(metadata['labels']) ? metadata['labels'] : {};
  const selectors = isJsonMap(aggregationRule) ? aggregationRule['clusterRoleSelectors'] : undefined;
  return {
    name,
    labels: labels as Readonly<Record<string, string>>,
    rules: policyRulesOf(object),
    selectors: Array.isArray(selectors) ? selectors.filter(isJsonMap) : [],
  };
}

/** Returns the role of a binding. */
export function roleReferenceOf({ roleRef }: JsonMap): RoleReference {
  const { kind, name } = isJsonMap(roleRef) ? roleRef : {};
  return { kind: textOf(kind), name: textOf(name) };
}

/** Returns a role as messages name it: `Role agents/reader`. */
export function roleWords({ kind, name }: RoleReference, namespace: string): string {
  return kind === 'Role' ? `Role ${namespace}/${name}` : `${kind} ${name}`;
}

/** Returns how a binding names a ServiceAccount. As appliesToUser, with the groups of every ServiceAccount. */
function subjectOf(
  { subjects }: JsonMap,
  account: ServiceAccount,
  home: string,
): 'account' | 'group' | undefined {
  const user = `system:serviceaccount:${account.namespace}:${account.name}`;
  const groups = new Set([
    'system:serviceaccounts',
    'system:authenticated',
    `system:serviceaccounts:${account.namespace}`,
  ]);
  const all = Array.isArray(subjects) ? subjects.filter(isJsonMap) : [];
  const isAccount = all.some(({ kind, name, namespace }) => {
    if (kind === 'User') return name === user;
    // in a RoleBinding, the default is its own namespace
    const inNamespace = textOf(namespace) === '' ? home : namespace;
    return kind === 'ServiceAccount' && name === account.name && inNamespace === account.namespace;
  });
  if (isAccount) return 'account';
  return all.some(({ kind, name }) => kind === 'Group' && groups.has(textOf(name))) ? 'group' : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
