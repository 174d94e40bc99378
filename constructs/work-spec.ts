import type { ManifestWorkV1Spec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { DeleteOption } from './delete-option.ts';
import type { ManifestConfig } from './manifest-config.ts';
import type { Workload, WorkloadBuilder } from './workload.ts';

/** The content and options of a work. */
export interface WorkSpecProps {
  /**
   * Creates the objects that are delivered to the cluster, with cdk8s-plus or as ApiObjects. Objects are named after
   * their ids, and do not belong to the chart.
   */
  readonly workload: WorkloadBuilder;

  /**
   * The namespace on the cluster for objects of the workload without a namespace.
   *
   * @default - none: each object must have its own
   */
  readonly workloadNamespace?: string;

  /**
   * How objects of the workload are applied, and what is reported about them. `addManifestConfig` of the workload
   * adds to this list.
   *
   * @default - none
   */
  readonly manifestConfigs?: readonly ManifestConfig[];

  /**
   * What happens to the objects when the work is deleted.
   *
   * @default DeleteOption.foreground()
   */
  readonly deleteOption?: DeleteOption;

  /**
   * The ServiceAccount on the cluster that must be allowed to write the objects. The work agent checks its permissions before it applies
   * an object with its own.
   *
   * @default - only the permissions of the work agent count
   */
  readonly executor?: { readonly namespace: string; readonly name: string };
}

/** Returns the spec as written in ManifestWorks. */
export function toWorkSpec(props: WorkSpecProps, workload: Workload): ManifestWorkV1Spec {
  const manifestConfigs = [...(props.manifestConfigs ?? []), ...workload.manifestConfigs].map(
    ({ config }) => config,
  );
  const { executor } = props;
  return defined({
    workload: { manifests: workload.manifests() },
    manifestConfigs: unlessEmpty(manifestConfigs),
    deleteOption: props.deleteOption?.option,
    executor: executor && ({ subject: { type: 'ServiceAccount', serviceAccount: executor } } as const),
  });
}

/** Returns the errors of a workload: those in it, and an empty workload, which the hub rejects. */
export function workFaults(workload: Workload): string[] {
  return workload.isEmpty ? ['there is nothing to deliver: the workload has no objects'] : workload.faults();
}
