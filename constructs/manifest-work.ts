import type { Construct } from 'constructs';
import type { ManifestWorkV1Spec } from '../schemas/types.gen.ts';
import type { ClusterReference } from './managed-cluster.ts';
import { clusterName } from './managed-cluster.ts';
import type { ObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { WorkSpecProps } from './work-spec.ts';
import { toWorkSpec, workFaults } from './work-spec.ts';
import { Workload } from './workload.ts';
import { checkProps } from './check-properties.ts';

/** The cluster of a work. */
export interface ManifestWorkProps extends ObjectProps, WorkSpecProps {
  /** The cluster that the objects are delivered to. The work is in its namespace. */
  readonly cluster: ClusterReference;
}

/**
 * Delivers objects to one cluster.
 *
 * @example
 * new ManifestWork(chart, 'namespace', {
 *   cluster: 'cluster1',
 *   workload: (workload) => {
 *     new ApiObject(workload, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hello' } });
 *   },
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/
 */
export class ManifestWork extends NamespacedObject {
  /** The scope of the objects that are delivered to the cluster. */
  readonly workload: Workload;

  private readonly work: WorkSpecProps;

  constructor(scope: Construct, id: string, props: ManifestWorkProps) {
    checkProps({ ManifestWork }, new.target, scope, id, props);
    const type = { apiVersion: 'work.open-cluster-management.io/v1', kind: 'ManifestWork' };
    super(scope, id, type, { ...props, namespace: clusterName(props.cluster) });
    this.work = props;
    this.workload = new Workload(this, this.name, props.workloadNamespace);
    props.workload(this.workload);
  }

  protected override faults(): string[] {
    return [...super.faults(), ...workFaults(this.workload)];
  }

  /** @internal */
  protected override toSpec(): ManifestWorkV1Spec {
    return toWorkSpec(this.work, this.workload);
  }
}
