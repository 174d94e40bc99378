import { historyLimitAnnotation, revisionOfAnnotation } from '../src/ocm/fleetwright-annotations.ts';

/** The common settings of configurations that can be immutable. */
export interface RevisionProps {
  /**
   * Never edits the object on the hub: its name gets a hash of its content, and references to it follow. A change
   * then creates a new object beside it. A rollout strategy paces references to a new object. The content of an
   * edited object can reach clusters before their wave.
   *
   * @default false
   */
  readonly immutable?: boolean;

  /**
   * Number of earlier revisions of an immutable object that `synth` keeps in its output, for clusters in later waves
   * and for a rollback.
   *
   * @default 10
   */
  readonly revisionHistoryLimit?: number;
}

/** The annotations of an immutable object, for `synth`. */
export function revisionAnnotations(
  name: string,
  { revisionHistoryLimit: limit }: RevisionProps,
): Record<string, string> {
  return {
    [revisionOfAnnotation]: name,
    ...(limit !== undefined && { [historyLimitAnnotation]: String(limit) }),
  };
}
