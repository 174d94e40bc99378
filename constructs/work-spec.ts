import type { ManifestWorkV1Spec } from '../schemas/types.gen.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { DeleteOption } from './delete-option.ts';
import type { ManifestConfig } from './manifest-config.ts';
import type { Workload, WorkloadBuilder } from './workload.ts';

/** What a work delivers, and how. */
export interface WorkSpecProps {
  /**
   * Creates the objects that go to the cluster, with cdk8s-plus or as ApiObjects. They are named after their
   * ids, and they are not objects of the chart.
   */
  readonly workload: WorkloadBuilder;

  /**
   * The namespace on the cluster for objects of the workload that name none.
   *
   * @default - none: each object has to name its own
   */
  readonly workloadNamespace?: string;

  /**
   * How objects of the workload are applied, and what is reported of them; `addManifestConfig` of the
   * workload adds to these.
   *
   * @default - none
   */
  readonly manifestConfigs?: readonly ManifestConfig[];

  /**
   * What becomes of the objects when the work is deleted.
   *
   * @default DeleteOption.foreground()
   */
  readonly deleteOption?: DeleteOption;

  /**
   * The ServiceAccount on the cluster that the objects are applied with.
   *
   * @default - the work agent's own, which may do everything
   */
  readonly executor?: { readonly namespace: string; readonly name: string };
}

/** As ManifestWorks write it. */
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

/**
 * What is wrong with the workload of a work: what is wrong in it, and nothing to be in it, which the hub
 * refuses.
 */
export function workFaults(workload: Workload): string[] {
  return workload.isEmpty ? ['there is nothing to deliver: the workload has no objects'] : workload.faults();
}
