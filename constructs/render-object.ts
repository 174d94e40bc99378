import type { ApiObject } from 'cdk8s';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { withFittingNamespace } from './cluster-scoped.ts';

/** Returns the manifest of any ApiObject. If it cannot be rendered, the message of the error is only the reason. */
export function renderObject(object: ApiObject): KubernetesObject {
  try {
    return withFittingNamespace(object.toJson() as KubernetesObject);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // cdk8s adds the construct's path to the message, which the caller already knows.
    throw new Error(
      message.replace(/^Failed serializing construct at path '[^']*' with name '[^']*': (?:Error: )?/, ''),
      {
        cause: error,
      },
    );
  }
}
