import type { JsonMap } from '../../../../src/base/json/json-map.ts';
import type { Random } from '../../differential/random.ts';

/** A kind of which the test generates manifests. */
export interface GeneratedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isClusterScoped?: true;
  /** The namespace of its objects, if not that of most. */
  readonly namespace?: string;
  /** Returns the name of an object by its number. @default - `m-1` */
  readonly name?: (id: string) => string;
  /** Returns the fields beside the metadata. Two calls return what a work has before and after an update. */
  readonly content: (random: Random, name: string) => JsonMap;
}

/**
 * The pod of a workload.
 *
 * @param fields - more fields of the pod, or of its container
 */
export function podTemplate(
  app: string,
  image: string,
  { restartPolicy, env }: { readonly restartPolicy?: string; readonly env?: unknown } = {},
): JsonMap {
  return {
    metadata: { labels: { app } },
    spec: {
      containers: [{ name: 'a', image, ...(env !== undefined && { env }) }],
      ...(restartPolicy !== undefined && { restartPolicy }),
    },
  };
}
