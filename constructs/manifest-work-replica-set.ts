import type { Construct } from 'constructs';
import type {
  ManifestWorkReplicaSetV1alpha1LocalPlacementReference,
  ManifestWorkReplicaSetV1alpha1Spec,
} from '../schemas/types.gen.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPlacement } from './placement.ts';
import type { Rollout } from './rollout.ts';
import type { WorkSpecProps } from './work-spec.ts';
import { toWorkSpec, workFaults } from './work-spec.ts';
import { withProgressingRules } from './progressing-conditions.ts';
import { Workload } from './workload.ts';
import { checkProps } from './check-properties.ts';

/** The clusters that one Placement selects, and their rollout. */
export interface WorkPlacement {
  /** Selects the clusters. It must be in the namespace of the ManifestWorkReplicaSet. */
  readonly placement: IPlacement;

  /**
   * The waves in which a change reaches the clusters.
   *
   * @default Rollout.all()
   */
  readonly rollout?: Rollout;
}

/** The placements of a ManifestWorkReplicaSet, and its deletion. */
export interface ManifestWorkReplicaSetProps extends NamespacedObjectProps, WorkSpecProps {
  /** The Placements that select the clusters. */
  readonly placements: readonly [WorkPlacement, ...WorkPlacement[]];

  /**
   * Whether this object is deleted before or after its works.
   *
   * @default 'Background'
   */
  readonly cascadeDeletionPolicy?: 'Background' | 'Foreground';

  /**
   * Whether agents report the condition Progressing, for which a rollout in waves waits. If no manifest configuration has a rule for
   * it, rules are added for Deployments, StatefulSets, DaemonSets and Jobs, or for an object that is ready immediately.
   *
   * @default - true with a rollout in waves
   */
  readonly reportProgressing?: boolean;
}

/**
 * Delivers the same objects to all clusters that Placements select.
 *
 * @example
 * const everywhere = new Placement(chart, 'everywhere');
 * new ManifestWorkReplicaSet(chart, 'settings', {
 *   placements: [{ placement: everywhere, rollout: Rollout.all() }],
 *   workload: (workload) => {
 *     new ApiObject(workload, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hello' } });
 *   },
 * });
 *
 * @see https://open-cluster-management.io/docs/concepts/work-distribution/manifestworkreplicaset/
 */
export class ManifestWorkReplicaSet extends NamespacedObject {
  /** Whether this object is deleted before or after its works. */
  readonly cascadeDeletionPolicy: 'Background' | 'Foreground';

  /** The scope of the objects that are delivered to the clusters. */
  readonly workload: Workload;

  private readonly placements: WorkPlacement[];
  private readonly reportProgressing: boolean | undefined;
  private readonly work: WorkSpecProps;

  constructor(scope: Construct, id: string, props: ManifestWorkReplicaSetProps) {
    checkProps({ ManifestWorkReplicaSet }, new.target, scope, id, props);
    const type = { apiVersion: 'work.open-cluster-management.io/v1alpha1', kind: 'ManifestWorkReplicaSet' };
    super(scope, id, type, props);
    this.cascadeDeletionPolicy = props.cascadeDeletionPolicy ?? 'Background';
    this.placements = [...props.placements];
    this.work = props;
    this.reportProgressing = props.reportProgressing;
    this.workload = new Workload(this, this.name, props.workloadNamespace);
    props.workload(this.workload);
  }

  /** Delivers the objects to more clusters. */
  addPlacement(placement: WorkPlacement): void {
    this.placements.push(placement);
  }

  protected override faults(): string[] {
    const faults = [...super.faults(), ...workFaults(this.workload)];
    for (const { placement } of this.placements) {
      const { namespace, name } = placement.placementReference;
      if (namespace === this.namespace) continue;
      faults.push(
        `Placement '${name}' is in namespace '${namespace}', but is looked for in '${this.namespace}'`,
      );
    }
    return faults;
  }

  /** @internal */
  protected override toSpec(): ManifestWorkReplicaSetV1alpha1Spec {
    const work = toWorkSpec(this.work, this.workload);
    const hasWaves = this.placements.some(({ rollout }) => (rollout?.strategy.type ?? 'All') !== 'All');
    return {
      placementRefs: this.placements.map(toPlacementRef),
      manifestWorkTemplate: (this.reportProgressing ?? hasWaves) ? withProgressingRules(work) : work,
      cascadeDeletionPolicy: this.cascadeDeletionPolicy,
    };
  }
}

function toPlacementRef({
  placement,
  rollout,
}: WorkPlacement): ManifestWorkReplicaSetV1alpha1LocalPlacementReference {
  return defined({ name: placement.placementReference.name, rolloutStrategy: rollout?.strategy });
}
