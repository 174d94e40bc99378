import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import {
  create,
  literal,
  name,
  object,
  plain,
  unlessEmptyObject,
  type Expression,
} from '../code/expression.ts';
import { explicitMetadata } from './metadata.ts';
import type { Props } from './props.ts';
import { bindingConstruct, clusterRoleProps, roleProps } from './rbac.ts';
import { serviceProps } from './service.ts';
import { typedObject } from './typed-object.ts';
import { daemonSetProps, deploymentProps, jobProps } from './workloads.ts';
import type { WorkloadScope } from './workload-scope.ts';
import { kplus } from './field-code.ts';
import type { BindingObject } from './manifests.ts';
import { messageJson } from '../../base/json/message-json.ts';

/**
 * Returns the object as a construct of cdk8s-plus, if its kind may have one. The caller verifies that the construct renders the
 * same object: these constructs set many defaults that cannot be left out.
 */
export function plusConstruct(manifest: KubernetesObject, scope: WorkloadScope): Expression | undefined {
  // then all fields have the types that are read below
  if (typedObject(manifest, scope) === undefined) return undefined;
  const { apiVersion, kind } = manifest;
  switch (`${apiVersion}/${kind}`) {
    case 'apps/v1/Deployment':
      return construct(manifest, scope, deploymentProps(manifest, scope));
    case 'apps/v1/DaemonSet':
      return construct(manifest, scope, daemonSetProps(manifest, scope));
    case 'batch/v1/Job':
      return construct(manifest, scope, jobProps(manifest, scope));
    case 'rbac.authorization.k8s.io/v1/Role':
      return construct(manifest, scope, roleProps(manifest));
    case 'rbac.authorization.k8s.io/v1/ClusterRole':
      return construct(manifest, scope, clusterRoleProps(manifest));
    case 'rbac.authorization.k8s.io/v1/RoleBinding':
    case 'rbac.authorization.k8s.io/v1/ClusterRoleBinding':
      return bindingConstruct(manifest as BindingObject, scope, (role) =>
        construct(manifest, scope, { role }),
      );
    case 'v1/Service':
      return construct(manifest, scope, serviceProps(manifest, scope));
    default:
      return construct(manifest, scope, simpleProps(manifest, scope));
  }
}

/** Constructs whose props are the fields themselves, with the names of the props and their defaults. */
const simpleKinds: ReadonlyMap<
  string,
  Readonly<Record<string, readonly [prop: string, byDefault?: unknown]>>
> = new Map([
  ['v1/Namespace', { spec: ['spec', '{}'] }],
  ['v1/ServiceAccount', { automountServiceAccountToken: ['automountToken', 'false'] }],
  ['v1/ConfigMap', { data: ['data'], binaryData: ['binaryData'], immutable: ['immutable', 'false'] }],
  ['v1/Secret', { stringData: ['stringData', '{}'], type: ['type'], immutable: ['immutable', 'false'] }],
]);

function simpleProps(manifest: KubernetesObject, scope: WorkloadScope): Props | undefined {
  const { apiVersion, kind, metadata: _, ...fields } = manifest;
  const simpleKind = simpleKinds.get(`${apiVersion}/${kind}`);
  if (simpleKind === undefined) return undefined;
  const props: Record<string, Expression> = {};
  for (const [field, value] of Object.entries(fields)) {
    const [prop, byDefault] = simpleKind[field] ?? [];
    if (prop === undefined) return undefined;
    if (messageJson(value) !== byDefault) props[prop] = plain(value, [field], (text) => scope.text(text));
  }
  return props;
}

function construct(
  manifest: KubernetesObject,
  scope: WorkloadScope,
  props: Props | undefined,
): Expression | undefined {
  if (props === undefined) return undefined;
  const metadata = explicitMetadata(manifest, scope.namespace, scope.id);
  const metadataProps = plain(metadata, ['metadata'], (text) => scope.text(text));
  const all = object({ metadata: unlessEmptyObject(metadataProps), ...props });
  return create(kplus(manifest.kind), name('scope'), literal(scope.id), unlessEmptyObject(all));
}
