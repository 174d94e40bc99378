import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { revisionOfAnnotation } from '../schemas/own-annotations.ts';

/** What configurations have in common that may be rolled out revision by revision. */
export interface RevisionProps {
  /**
   * Never edits the object on the hub: its name gets a hash of its content, and what refers to it follows, so
   * that a change creates an object beside it. A rollout strategy paces references to a new object; the content
   * of an object that is edited can reach clusters before their turn.
   *
   * @default false
   */
  readonly immutable?: boolean;

  /**
   * How many earlier revisions of an immutable object `synth` leaves in its output, for clusters whose turn has
   * not come and for the way back.
   *
   * @default 2
   */
  readonly revisionHistoryLimit?: number;
}

/** The annotation of an immutable object with the number of earlier revisions to leave, where it is not 2. */
export const historyLimitAnnotation = 'fleetwright.dev/revision-history-limit';

/** What `synth` has to know of an immutable object. */
export function revisionAnnotations(
  name: string,
  { revisionHistoryLimit: limit }: RevisionProps,
): Record<string, string> {
  return {
    [revisionOfAnnotation]: name,
    ...(limit !== undefined && { [historyLimitAnnotation]: String(limit) }),
  };
}

/** The name of a revision: all that the hub hashes decides it, whatever the order of the fields. */
export function revisionName(name: string, { spec }: KubernetesObject): string {
  const content = JSON.stringify(spec, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}`;
}
