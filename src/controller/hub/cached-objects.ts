import {
  deliveryAnnotation,
  emptyLocationsAnnotation,
  overrideAnnotation,
  preDeleteHooksAnnotation,
} from '../../ocm/fleetwright-annotations.ts';
import { hostingClusterAnnotation } from '../../ocm/hosted-mode.ts';
import type {
  Condition,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1Status,
  ManagedClusterV1,
} from '../../../schemas/types.gen.ts';
import { pick, type Stored } from '../../client/object.ts';
import { sharedMetadata, withoutAbsent, type EqualValues } from '../cache/equal-values.ts';
import { cutConditions, sharedConditions } from './condition.ts';
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
export function cachedAddOn(
  { apiVersion, kind, metadata, spec, status = {} }: Stored<ManagedClusterAddOnV1alpha1>,
  equal: EqualValues,
): Stored<ManagedClusterAddOnV1alpha1> {
  const { annotations, finalizers, ownerReferences } = metadata;
  const { supportedConfigs, configReferences, namespace, registrations, healthCheck, kubeClientDriver } =
    status;
  return {
    apiVersion: equal.one(apiVersion),
    kind: equal.one(kind),
    metadata: sharedMetadata(
      metadata,
      {
        annotations: equal.one(cachedAnnotations(annotations)),
        finalizers: equal.one(finalizers),
        ownerReferences: equal.one(ownerReferences),
      },
      equal,
    ),
    spec: equal.one(spec),
    status: withoutAbsent<ManagedClusterAddOnV1alpha1Status>({
      supportedConfigs: within(supportedConfigs, equal),
      configReferences: within(configReferences, equal),
      namespace: within(namespace, equal),
      registrations: within(registrations, equal),
      healthCheck: within(healthCheck, equal),
      kubeClientDriver: within(kubeClientDriver, equal),
      conditions: status.conditions && sharedConditions(cachedConditions(status.conditions), equal),
    }),
  };
}

function cachedAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return {
    ...pick(annotations, [
      deliveryAnnotation,
      emptyLocationsAnnotation,
      hostingClusterAnnotation,
      overrideAnnotation,
    ]),
    // The hooks themselves are read when they are needed.
    ...(annotations?.[preDeleteHooksAnnotation] !== undefined && { [preDeleteHooksAnnotation]: '' }),
  };
}

function within<T>(value: T, equal: EqualValues): T | undefined {
  return value !== undefined && isWithin(value, largestField) ? equal.one(value) : undefined;
}

function cachedConditions(conditions: readonly Condition[]): readonly Condition[] {
  return isWithin(conditions, largestField)
    ? conditions
    : conditions.filter(
        (condition) => decidedConditions.has(condition.type) && isWithin(condition, largestCondition),
      );
}

/** Returns the part of a ManagedCluster to cache: whether the hub accepts it, and whether it is reachable. */
export function cachedCluster(
  { apiVersion, kind, metadata, spec: { hubAcceptsClient } = {}, status }: Stored<ManagedClusterV1>,
  equal: EqualValues,
): Stored<ManagedClusterV1> {
  return {
    apiVersion: equal.one(apiVersion),
    kind: equal.one(kind),
    metadata: sharedMetadata(metadata, {}, equal),
    ...(hubAcceptsClient !== undefined && { spec: equal.one({ hubAcceptsClient }) }),
    status: { conditions: sharedConditions(cutConditions(status?.conditions, [clusterAvailable]), equal) },
  };
}

function isWithin(value: unknown, maxLength: number): boolean {
  return JSON.stringify(value).length <= maxLength;
}
