import {
  deliveryAnnotation,
  emptyLocationsAnnotation,
  overrideAnnotation,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { hostingClusterAnnotation } from '../../ocm/hosted-mode.ts';
import type { Condition, ManagedClusterAddOnV1alpha1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { identityOf, pick, type Stored } from '../../client/object.ts';
import { cutConditions } from './condition.ts';
import { companionConditions } from '../../ocm/companion-conditions.ts';
import { clusterAvailable } from './health/available.ts';

/**
 * Maximum number of characters of one status field to cache. The agent of a cluster may write a megabyte into
 * the status of each of its add-ons, and all of them are in memory.
 */
const largestField = 65_536;
/** Characters of one condition of a status whose conditions are too large in total. */
const largestCondition = 4096;

const decidedConditions: ReadonlySet<string> = new Set(companionConditions);

/**
 * Returns the part of a ManagedClusterAddOn to cache: its spec, and the status fields that the companion reads or
 * decides on. A field that is too large counts as absent, so that it is written again. If the conditions are too
 * large in total, only those stay that the companion decides on.
 */
export function cachedAddOn({
  apiVersion,
  kind,
  metadata,
  spec,
  status = {},
}: Stored<ManagedClusterAddOnV1alpha1>): Stored<ManagedClusterAddOnV1alpha1> {
  const { annotations, finalizers, ownerReferences } = metadata;
  const { supportedConfigs, configReferences, namespace, registrations, healthCheck, kubeClientDriver } =
    status;
  const fields = {
    supportedConfigs,
    configReferences,
    namespace,
    registrations,
    healthCheck,
    kubeClientDriver,
  };
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityOf(metadata),
      annotations: {
        ...pick(annotations, [
          deliveryAnnotation,
          emptyLocationsAnnotation,
          hostingClusterAnnotation,
          overrideAnnotation,
        ]),
        // The hooks themselves are read when they are needed.
        ...(annotations?.[preDeleteHooksAnnotation] !== undefined && { [preDeleteHooksAnnotation]: '' }),
      },
      ...(finalizers && { finalizers }),
      ...(ownerReferences && { ownerReferences }),
    },
    spec,
    status: {
      ...(Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== undefined && isWithin(value, largestField)),
      ) as typeof status),
      ...(status.conditions && { conditions: cachedConditions(status.conditions) }),
    },
  };
}

function cachedConditions(conditions: readonly Condition[]): readonly Condition[] {
  return isWithin(conditions, largestField)
    ? conditions
    : conditions.filter(
        (condition) => decidedConditions.has(condition.type) && isWithin(condition, largestCondition),
      );
}

/** Returns the part of a ManagedCluster to cache: whether the hub accepts it, and whether it is reachable. */
export function cachedCluster({
  apiVersion,
  kind,
  metadata,
  spec: { hubAcceptsClient } = {},
  status,
}: Stored<ManagedClusterV1>): Stored<ManagedClusterV1> {
  return {
    apiVersion,
    kind,
    metadata: identityOf(metadata),
    ...(hubAcceptsClient !== undefined && { spec: { hubAcceptsClient } }),
    status: { conditions: cutConditions(status?.conditions, [clusterAvailable]) },
  };
}

function isWithin(value: unknown, maxLength: number): boolean {
  return JSON.stringify(value).length <= maxLength;
}
