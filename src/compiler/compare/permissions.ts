import type { FieldPath } from '../model/field-path.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { Admitted } from '../model/inventory.ts';
import { apiServerSigner } from '../../ocm/signers.ts';
import type { RenderGroup } from '../render/render-result.ts';
import type { PermissionChange, RegistrationChange, Side } from './change.ts';
import { roleKey, type Pair, type State } from './resolution-pair.ts';
import { permissionsOf, type Permission } from '../../ocm/hub-permissions.ts';

/** Represents the cluster's own namespace. No cluster has an empty name. */
const clusterNamespace = '';

/** Something that templates request from the hub, and the number of clusters. */
interface Ask<T> {
  readonly what: T;
  readonly template: Admitted;
  readonly path: FieldPath;
  readonly clusters: number;
}

/**
 * Returns the hub permissions that the agents of an add-on gain or lose. Separates permissions that more or fewer agents have
 * from those that no agent had before.
 */
export function comparePermissions(addOn: string, { base, head }: Pair): PermissionChange[] {
  const before = permissions(addOn, base);
  const after = permissions(addOn, head);
  const changes: PermissionChange[] = [];
  for (const [permission, ask] of after) {
    const earlier = before.get(permission);
    const edited = earlier !== undefined && rulesOf(earlier.what, base) !== rulesOf(ask.what, head);
    const counts = { before: earlier?.clusters ?? 0, after: ask.clusters };
    const reported = { permission, ...counts, ...placeOf(ask, 'head') };
    if (edited) changes.push({ ...reported, change: 'role edited', ...roleLocation(ask.what, head) });
    if (earlier === undefined) changes.push({ ...reported, change: 'widened' });
    else if (counts.after > counts.before) changes.push({ ...reported, change: 'more clusters' });
    else if (counts.after < counts.before) changes.push({ ...reported, change: 'fewer clusters' });
  }
  for (const [permission, ask] of before) {
    if (after.has(permission)) continue;
    changes.push({ permission, change: 'narrowed', before: ask.clusters, after: 0, ...placeOf(ask, 'base') });
  }
  return changes;
}

/** Returns the registrations of an add-on's agents that are added, changed or removed. */
export function compareRegistrations(addOn: string, { base, head }: Pair): RegistrationChange[] {
  const before = registrations(addOn, base);
  const after = registrations(addOn, head);
  const changes: RegistrationChange[] = [];
  for (const [signer, ask] of after) {
    const earlier = before.get(signer);
    if (earlier === undefined) {
      changes.push({ signer, change: 'widened', ...subject('after', ask.what), ...placeOf(ask, 'head') });
    } else if (goJson(earlier.what ?? null) !== goJson(ask.what ?? null)) {
      const subjects = { ...subject('before', earlier.what), ...subject('after', ask.what) };
      changes.push({ signer, change: 'changed', ...subjects, ...placeOf(ask, 'head') });
    }
  }
  for (const [signer, ask] of before) {
    if (after.has(signer)) continue;
    changes.push({ signer, change: 'narrowed', ...subject('before', ask.what), ...placeOf(ask, 'base') });
  }
  return changes;
}

function subject(side: 'before' | 'after', value: unknown): { before?: unknown; after?: unknown } {
  return value === undefined ? {} : { [side]: value };
}

function placeOf({ template, path }: Ask<unknown>, side: Side): Pick<PermissionChange, 'side' | 'location'> {
  return { side, location: template.origin.locate(path) };
}

function permissions(addOn: string, { rendered }: State): ReadonlyMap<string, Ask<Permission>> {
  const asks = new Map<string, Ask<Permission>>();
  for (const group of rendered.get(addOn) ?? []) {
    const template = asAny(group.template);
    for (const permission of permissionsOf(group.template.object, clusterNamespace).permissions) {
      const { kind, name } = permission.roleRef;
      const where =
        permission.namespace === clusterNamespace
          ? "each cluster's namespace"
          : `namespace ${permission.namespace}`;
      add(asks, `${kind}/${name} in ${where}`, {
        what: permission,
        template,
        path: permission.path,
        clusters: group.clusters.length,
      });
    }
  }
  return asks;
}

function registrations(addOn: string, { rendered }: State): ReadonlyMap<string, Ask<unknown>> {
  const asks = new Map<string, Ask<unknown>>();
  for (const group of rendered.get(addOn) ?? []) {
    for (const [index, { type, customSigner }] of (group.template.object.spec.registration ?? []).entries()) {
      const signer = type === 'CustomSigner' ? customSigner?.signerName : apiServerSigner;
      if (signer === undefined) continue;
      const path = ['spec', 'registration', index];
      const clusters = group.clusters.length;
      add(asks, signer, { what: customSigner?.subject, template: asAny(group.template), path, clusters });
    }
  }
  return asks;
}

function add<T>(asks: Map<string, Ask<T>>, key: string, ask: Ask<T>): void {
  const request = asks.get(key);
  asks.set(key, request === undefined ? ask : { ...request, clusters: request.clusters + ask.clusters });
}

function asAny({ origin, source, object }: RenderGroup['template']): Admitted {
  return { origin, source, object: { ...object } };
}

/** Returns the rules of a role from the inventory. Empty if only the hub has the role. */
function rulesOf(permission: Permission, state: State): string {
  const { object } = findRole(permission, state) ?? {};
  return object === undefined
    ? ''
    : goJson({ rules: object['rules'], aggregationRule: object['aggregationRule'] });
}

function roleLocation(permission: Permission, state: State): Pick<PermissionChange, 'location'> {
  const role = findRole(permission, state);
  return role === undefined ? {} : { location: role.origin.locate(['rules']) };
}

function findRole({ roleRef, namespace }: Permission, { roles }: State): Admitted | undefined {
  return roles.get(roleKey(roleRef.kind, namespace, roleRef.name));
}
