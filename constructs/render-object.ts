import type { ApiObject } from 'cdk8s';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { withFittingNamespace } from './cluster-scoped.ts';

/** The manifest of any ApiObject. Where it cannot be rendered, the error's message is the reason alone. */
export function renderObject(object: ApiObject): KubernetesObject {
  try {
    return withFittingNamespace(object.toJson() as KubernetesObject);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // cdk8s wraps the reason into a sentence with the construct's path, which whoever reports it knows
    // already.
    throw new Error(
      message.replace(/^Failed serializing construct at path '[^']*' with name '[^']*': (?:Error: )?/, ''),
      {
        cause: error,
      },
    );
  }
}
