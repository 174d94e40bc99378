import { agentPrefix } from '../../src/ocm/agent-identity.ts';

/** The ServiceAccount that the policies apply to, and its limits. */
export interface ConfinedCompanion {
  /** Its ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
  /** The names of its Leases, in its namespace. */
  readonly leases: readonly string[];
  /** Signers whose certificates it signs. */
  readonly signers: readonly string[];
  /** Whether OCM's gRPC server may request certificates for the agents that are connected to it. */
  readonly trustGrpcServer: boolean;
  /** Whether it runs pre-delete hooks. */
  readonly preDeleteHooks: boolean;
  /** Whether it creates the objects from which agents get tokens. */
  readonly tokenRegistration: boolean;
  /** The Roles that it may bind to agents, as `namespace/name`. */
  readonly grantedRoles: readonly string[];
}

/** The limits for one kind of object. */
export interface PolicyContent {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** CEL expressions that the checks use as `variables.<name>`. Each may use those before it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** CEL expressions by their messages. An expression is true if the request is allowed. */
  readonly checks: Readonly<Record<string, string>>;
}

/** The `spec` of a ValidatingAdmissionPolicy, complete after defaulting, so that nothing differs from what the API server stores. */
export function policySpec(
  { name, namespace }: Pick<ConfinedCompanion, 'name' | 'namespace'>,
  { group, version, resources, operations, variables = {}, checks }: PolicyContent,
): object {
  const user = `system:serviceaccount:${namespace}:${name}`;
  return {
    failurePolicy: 'Fail',
    matchConditions: [{ name: 'companion', expression: `request.userInfo.username == '${user}'` }],
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ apiGroups: [group], apiVersions: [version], operations, resources, scope: '*' }],
    },
    ...(Object.keys(variables).length > 0 && {
      variables: Object.entries(variables).map(([name, expression]) => ({ name, expression })),
    }),
    validations: Object.entries(checks).map(([message, expression]) => ({
      expression,
      message: `fleetwright: ${message}`,
      // Not Invalid, the default: a rejected request may be allowed later, when the object changes.
      reason: 'Forbidden',
    })),
  };
}

export const isCreate = "request.operation == 'CREATE'";
export const isUpdate = "request.operation == 'UPDATE'";

/** A check that ignores other requests, such as deletions, which have no new object. */
export function ofUpdate(expression: string): string {
  return `!(${isUpdate}) || (${expression})`;
}

/** A check that ignores all other requests. */
export function ofCreate(expression: string): string {
  return `!(${isCreate}) || (${expression})`;
}

/** A check that ignores all other requests. */
export function ofDelete(expression: string): string {
  return `!(request.operation == 'DELETE') || (${expression})`;
}

/** Returns a CEL expression for the value of a label or an annotation, or the empty text. */
export function textOf(object: string, map: 'labels' | 'annotations', key: string): string {
  return `${object}.metadata.?${map}['${key}'].orValue('')`;
}

/** Returns a CEL expression that is true if a field of the metadata is unchanged. */
export function unchanged(field: 'labels' | 'annotations' | 'finalizers'): string {
  const empty = field === 'finalizers' ? '[]' : '{}';
  const of = (object: string): string => `${object}.metadata.?${field}.orValue(${empty})`;
  return `${of('object')} == ${of('oldObject')}`;
}

export const sameMetadata = [unchanged('labels'), unchanged('annotations'), unchanged('finalizers')].join(
  ' && ',
);

/** Variables for `onlyNewOwner`. */
export const ownerVariables = {
  owners: 'object.metadata.?ownerReferences.orValue([])',
  ownersBefore: 'oldObject.metadata.?ownerReferences.orValue([])',
};

/**
 * Checks that every owner stays, and that the only new one is an object of this kind and name. Kubernetes deletes an
 * object if none of its owners exist, so an owner with a wrong uid would delete it.
 */
export function onlyNewOwner(kind: string, name: string): Readonly<Record<string, string>> {
  const isNew = `after.kind == '${kind}' && after.apiVersion.startsWith('addon.open-cluster-management.io/') && after.name == ${name}`;
  return {
    [`owners stay, and the only owner that is added is the ${kind}`]: ofUpdate(
      [
        'variables.ownersBefore.all(before, variables.owners.exists(after, after.uid == before.uid))',
        `variables.owners.all(after, variables.ownersBefore.exists(before, before.uid == after.uid) || (${isNew}))`,
      ].join(' && '),
    ),
  };
}

/** The hub user of an agent with a certificate; of CEL expressions. */
export function agentUser(cluster: string, addOn: string): string {
  return `'${agentPrefix}cluster:' + ${cluster} + ':addon:' + ${addOn} + ':agent:' + ${addOn} + '-agent'`;
}

/** The hub user of an agent with a token; of CEL expressions. */
export function tokenUser(cluster: string, addOn: string): string {
  return `'system:serviceaccount:' + ${cluster} + ':' + ${addOn} + '-agent'`;
}
