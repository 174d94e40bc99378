/** A rule of a Role or a ClusterRole. */
export type PermissionRule =
  | { readonly group: string; readonly resource: string; readonly verbs: readonly string[] }
  | { readonly path: string; readonly verbs: readonly string[] };

/**
 * Returns how to grant a permission.
 *
 * @param namespace - the only namespace in which it is needed. @default - it is needed in the whole cluster
 */
export function grant(rule: PermissionRule, namespace?: string): string {
  const role = namespace === undefined ? 'a ClusterRole' : `a Role in namespace ${namespace}`;
  const verbs = `verbs: [${quotedList(rule.verbs)}]`;
  return 'path' in rule
    ? `grant ${role} with the rule nonResourceURLs: ["${rule.path}"], ${verbs}`
    : `grant ${role} with the rule apiGroups: ["${rule.group}"], resources: ["${rule.resource}"], ${verbs}`;
}

function quotedList(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}
