import { plusResources } from '../../../schemas/plus-structs.gen.ts';
import { call, list, literal, name, object, plain, type Expression } from '../code/expression.ts';
import type { Props } from './props.ts';
import type { BindingObject, PolicyRule, RoleObject } from './manifests.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { hasOthers, kplus } from './field-code.ts';
import { messageJson } from '../../base/json/message-json.ts';

export function roleProps(role: RoleObject): Props | undefined {
  return rulesProps(role, 'resources');
}

export function clusterRoleProps(role: RoleObject): Props | undefined {
  return rulesProps(role, 'endpoints');
}

function rulesProps(role: RoleObject, prop: 'resources' | 'endpoints'): Props | undefined {
  const { rules = [] } = role;
  if (hasOthers(role, 'apiVersion', 'kind', 'metadata', 'rules')) return undefined;
  // constructs write one rule per resource: rules with the same verbs were one
  const groups: { readonly verbs: readonly string[]; readonly resources: Expression[] }[] = [];
  for (const rule of rules) {
    const code = resource(rule);
    if (code === undefined) return undefined;
    const last = groups.at(-1);
    if (last !== undefined && messageJson(last.verbs) === messageJson(rule.verbs)) last.resources.push(code);
    else groups.push({ verbs: rule.verbs, resources: [code] });
  }
  const items = groups.map(({ verbs, resources }) =>
    object({ verbs: plain(verbs, undefined), [prop]: list(resources) }),
  );
  return { rules: items.length === 0 ? undefined : list(items) };
}

function resource({
  apiGroups,
  resources,
  resourceNames = [],
  nonResourceURLs,
}: PolicyRule): Expression | undefined {
  const [apiGroup, ...moreGroups] = apiGroups ?? [];
  const [resourceType, ...moreTypes] = resources ?? [];
  const isOne = moreGroups.length === 0 && moreTypes.length === 0 && resourceNames.length === 0;
  if (!isOne || apiGroup === undefined || resourceType === undefined || nonResourceURLs !== undefined)
    return undefined;
  const plusResource = plusResources.get(`${apiGroup}/${resourceType}`);
  if (plusResource !== undefined) return kplus('ApiResource', plusResource);
  const custom = object({ apiGroup: literal(apiGroup), resourceType: literal(resourceType) });
  return call(kplus('ApiResource'), 'custom', custom);
}

const rbac = 'rbac.authorization.k8s.io/v1';

/** Writes `new kplus.RoleBinding(…).addSubjects(…)`. */
export function bindingConstruct(
  binding: BindingObject,
  scope: WorkloadScope,
  construct: (role: Expression) => Expression | undefined,
): Expression | undefined {
  const { roleRef, subjects = [], metadata } = binding;
  const namespace = roleRef.kind === 'ClusterRole' ? undefined : metadata.namespace;
  const role =
    scope.construct(`${rbac}/${roleRef.kind}`, namespace, roleRef.name) ??
    call(
      kplus(roleRef.kind),
      `from${roleRef.kind}Name`,
      name('scope'),
      scope.takeId(roleRef.name, `${roleRef.name}-role`),
      scope.text(roleRef.name),
    );
  const codes = subjects.map((subject) => subjectOf(subject, scope));
  const created = roleRef.kind === 'Role' || roleRef.kind === 'ClusterRole' ? construct(role) : undefined;
  if (created === undefined || !codes.every((subject) => subject !== undefined)) return undefined;
  return codes.length === 0 ? created : call(created, 'addSubjects', ...codes);
}

function subjectOf(
  { kind, name: subjectName, namespace }: NonNullable<BindingObject['subjects']>[number],
  scope: WorkloadScope,
): Expression | undefined {
  switch (kind) {
    case 'ServiceAccount': {
      const account = scope.construct('v1/ServiceAccount', namespace, subjectName);
      if (account !== undefined || namespace === undefined) return account;
      return call(
        kplus('ServiceAccount'),
        'fromServiceAccountName',
        name('scope'),
        scope.takeId(subjectName, `${subjectName}-account`),
        scope.text(subjectName),
        object({ namespaceName: scope.text(namespace) }),
      );
    }
    case 'User':
    case 'Group':
      return call(
        kplus(kind),
        'fromName',
        name('scope'),
        scope.takeId(subjectName, `${kind}-${subjectName}`),
        scope.text(subjectName),
      );
    default:
      return undefined;
  }
}
