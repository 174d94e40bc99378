import type {
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1InstallProgression,
  ManagedClusterAddOnV1beta1ConfigReference,
} from '../../../schemas/types.gen.ts';
import type { ConfigReference, InstallProgression, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { referentKey } from '../../ocm/referent.ts';
import { objectKey } from '../model/inventory.ts';
import { conditionOf, withCondition } from '../../base/objects/condition.ts';
import type { DecidedCondition } from '../place/decision.ts';
import type { ClusterState } from './simulation/cluster-state.ts';
import type { Progression } from './progression.ts';
import type { Rollout } from './simulation/simulate-rollout.ts';

/** An entry of `status.installProgressions`. Conditions that the hub has not set yet have no times. */
interface ReportedProgression extends Omit<ClusterManagementAddOnV1beta1InstallProgression, 'conditions'> {
  readonly conditions?: readonly DecidedCondition[];
}

/** Returns `status.installProgressions` of a ClusterManagementAddOn after its rollout ends. */
export function installProgressions(
  { progressions }: ResolvedAddOn,
  addOn: ClusterManagementAddOnV1beta1,
  rollout: Rollout | undefined,
): readonly ReportedProgression[] {
  const before = new Map(
    (addOn.status?.installProgressions ?? []).map((progression) => [
      objectKey(progression.namespace, progression.name),
      progression,
    ]),
  );
  const reports = new Map((rollout?.progressions ?? []).map((report) => [report.placement, report]));
  return progressions.map((progression) => {
    const key = objectKey(progression.namespace, progression.name);
    return reported(merged(progression, before.get(key)), reports.get(key));
  });
}

/** As mergeInstallProgression of OCM's cmainstallprogression: the previous report remains as long as all objects are the same. */
function merged(
  { namespace, name, references }: InstallProgression,
  current: ClusterManagementAddOnV1beta1InstallProgression | undefined,
): ReportedProgression {
  const earlier = new Map(
    (current?.configReferences ?? []).map(({ group = '', resource, desiredConfig, ...rest }) => [
      referentKey({ group, resource, name: '', ...desiredConfig }),
      { lastAppliedConfig: rest.lastAppliedConfig, lastKnownGoodConfig: rest.lastKnownGoodConfig },
    ]),
  );
  const stays = current !== undefined && references.every((reference) => earlier.has(referentKey(reference)));
  const { conditions } = stays ? current : {};
  return {
    namespace,
    name,
    configReferences: references.map((reference) => {
      const { lastAppliedConfig, lastKnownGoodConfig } = (stays && earlier.get(referentKey(reference))) || {};
      return {
        ...shownReference(reference),
        ...(lastAppliedConfig && { lastAppliedConfig }),
        ...(lastKnownGoodConfig && { lastKnownGoodConfig }),
      };
    }),
    ...(conditions && { conditions }),
  };
}

/** As setAddOnInstallProgressionsAndLastApplied of OCM's addonconfiguration. */
function reported(before: ReportedProgression, report: Progression | undefined): ReportedProgression {
  if (report === undefined) return before;
  const { configReferences = [], conditions = [] } = before;
  return {
    ...before,
    configReferences: report.completed
      ? configReferences.map((reference) => ({
          ...reference,
          ...(reference.desiredConfig && {
            lastAppliedConfig: reference.desiredConfig,
            lastKnownGoodConfig: reference.desiredConfig,
          }),
        }))
      : configReferences,
    conditions: withCondition(conditions, report.condition),
  };
}

/** Returns `status.configReferences` of a ManagedClusterAddOn. */
export function configReferences({
  references,
}: Pick<ClusterState, 'references'>): ManagedClusterAddOnV1beta1ConfigReference[] {
  return references.map(({ appliedHash, ...reference }) => {
    const shown = shownReference(reference);
    if (appliedHash === undefined) return shown;
    return { ...shown, lastAppliedConfig: { ...shown.desiredConfig, specHash: appliedHash } };
  });
}

/**
 * Returns the conditions of a ManagedClusterAddOn, with the condition that OCM's addonprogressing derives from its state. The
 * previous condition remains if the reason is the same.
 */
export function withProgressing(
  conditions: readonly DecidedCondition[],
  { progressing, references }: ClusterState,
  hasWorks: boolean,
): readonly DecidedCondition[] {
  const current = conditionOf(conditions, 'Progressing');
  if (progressing === undefined || current?.reason === progressing.reason) return conditions;
  const { reason } = progressing;
  const message = messageOf(reason, references, hasWorks);
  if (message === undefined) return conditions;
  const status = reason === 'Progressing' ? 'True' : 'False';
  return withCondition(conditions, { type: 'Progressing', status, reason, message });
}

function messageOf(
  reason: string,
  references: readonly ConfigReference[],
  hasWorks: boolean,
): string | undefined {
  switch (reason) {
    case 'Completed':
      return 'completed with no errors.';
    case 'WaitingForManifestApplied':
      return 'Waiting for ManagedClusterAddOn ManifestApplied condition';
    case 'Progressing':
      if (!hasWorks) return 'progressing... no addon works';
      return references.some(({ specHash }) => specHash === '')
        ? 'progressing... mca and work configs mismatch'
        : 'progressing... work is not ready';
    default:
      return undefined;
  }
}

/** Returns a reference in the form that statuses use. */
export function shownReference({ group, resource, namespace, name, specHash }: ConfigReference): {
  readonly group: string;
  readonly resource: string;
  readonly desiredConfig: { readonly name: string; readonly namespace?: string; readonly specHash: string };
} {
  return {
    group,
    resource,
    desiredConfig: { name, ...(namespace === undefined ? {} : { namespace }), specHash },
  };
}
