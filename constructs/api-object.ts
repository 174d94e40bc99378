import type { ApiObjectProps } from 'cdk8s';
import { ApiObject as Cdk8sApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { withFittingNamespace } from './cluster-scoped.ts';
import { rememberSource } from './source.ts';
import { checkProps } from './check-properties.ts';

/**
 * cdk8s's ApiObject, for objects of any kind. It also records the line that created it, for diagnostics, and has no
 * namespace if its kind is cluster-scoped.
 *
 * @example
 * new ApiObject(chart, 'settings', {
 *   apiVersion: 'v1',
 *   kind: 'ConfigMap',
 *   metadata: { name: 'settings' },
 *   data: { greeting: 'hello' },
 * });
 */
export class ApiObject extends Cdk8sApiObject {
  constructor(scope: Construct, id: string, props: ApiObjectProps) {
    checkProps({ ApiObject }, new.target, scope, id, props);
    super(scope, id, props);
    rememberSource(this, new.target);
  }

  override toJson(): KubernetesObject {
    return withFittingNamespace(super.toJson() as KubernetesObject);
  }
}
