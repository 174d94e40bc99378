import type { Duration } from 'cdk8s';
import type { ManifestWorkV1DeleteOption } from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { ResourceReference } from './named-object.ts';
import { checkedDuration } from './checked-prop.ts';

/** When a work is done with. */
export interface DeleteOptions {
  /**
   * How long after its completion the work is deleted. Whole seconds.
   *
   * @default - never
   */
  readonly ttlAfterFinished?: Duration;
}

/**
 * What becomes of the objects on the cluster when their work is deleted.
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/#resource-cleanup
 */
export class DeleteOption {
  /** They are deleted. */
  static foreground(options: DeleteOptions = {}): DeleteOption {
    return new DeleteOption({ propagationPolicy: 'Foreground', ...limits(options) });
  }

  /** They stay. */
  static orphan(options: DeleteOptions = {}): DeleteOption {
    return new DeleteOption({ propagationPolicy: 'Orphan', ...limits(options) });
  }

  /** These stay, the others are deleted. */
  static selectivelyOrphan(objects: readonly ResourceReference[], options: DeleteOptions = {}): DeleteOption {
    const selectivelyOrphans = { orphaningRules: objects };
    return new DeleteOption({
      propagationPolicy: 'SelectivelyOrphan',
      selectivelyOrphans,
      ...limits(options),
    });
  }

  /** As OCM's objects write it. */
  readonly option: ManifestWorkV1DeleteOption;

  private constructor(option: ManifestWorkV1DeleteOption) {
    this.option = option;
  }
}

function limits({ ttlAfterFinished }: DeleteOptions) {
  return defined({
    ttlSecondsAfterFinished:
      ttlAfterFinished && checkedDuration(ttlAfterFinished, 'ttlAfterFinished').toSeconds(),
  });
}
