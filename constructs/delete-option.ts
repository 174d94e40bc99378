import type { Duration } from 'cdk8s';
import type { ManifestWorkV1DeleteOption } from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { ResourceReference } from './named-object.ts';

/** When a completed work is deleted. */
export interface DeleteOptions {
  /**
   * Time after its completion when the work is deleted. Whole seconds.
   *
   * @default - never
   */
  readonly ttlAfterFinished?: Duration;
}

/**
 * What happens to the objects on the cluster when their work is deleted.
 *
 * @example
 * new ManifestWork(chart, 'backup', {
 *   cluster: 'cluster1',
 *   workload: (workload) => {
 *     new ApiObject(workload, 'job', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'backup' } });
 *   },
 *   deleteOption: DeleteOption.foreground({ ttlAfterFinished: Duration.hours(1) }),
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/#resource-cleanup
 */
export class DeleteOption {
  /** Deletes the objects. */
  static foreground(options: DeleteOptions = {}): DeleteOption {
    return new DeleteOption({ propagationPolicy: 'Foreground', ...limits(options) });
  }

  /** Keeps the objects. */
  static orphan(options: DeleteOptions = {}): DeleteOption {
    return new DeleteOption({ propagationPolicy: 'Orphan', ...limits(options) });
  }

  /** Keeps these objects, and deletes the others. */
  static selectivelyOrphan(objects: readonly ResourceReference[], options: DeleteOptions = {}): DeleteOption {
    const selectivelyOrphans = { orphaningRules: objects };
    return new DeleteOption({
      propagationPolicy: 'SelectivelyOrphan',
      selectivelyOrphans,
      ...limits(options),
    });
  }

  /** Keeps values of other classes from being assignable. */
  declare protected readonly brand: 'DeleteOption';

  /**
   * Returns the option as written in OCM's objects.
   *
   * @internal
   */
  readonly option: ManifestWorkV1DeleteOption;

  private constructor(option: ManifestWorkV1DeleteOption) {
    this.option = option;
  }
}

function limits({ ttlAfterFinished }: DeleteOptions) {
  return defined({
    ttlSecondsAfterFinished: ttlAfterFinished && ttlAfterFinished.toSeconds(),
  });
}
