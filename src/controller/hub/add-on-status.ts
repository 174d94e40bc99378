import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  Condition,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1Status,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import type { Stored } from '../../client/object.ts';
import { withoutCondition, timedCondition, type DecidedCondition } from './condition.ts';
import { conditionOf, withCondition } from '../../base/objects/condition.ts';
import {
  configReferences,
  configsOf,
  type ConfigFacts,
  type ConfigName,
} from './configuration/config-references.ts';
import { availableByLease, availableByWorks, unreachable } from './health/available.ts';
import { manifestApplied, type AppliedCondition } from './health/manifest-applied.ts';
import { progressOf } from './health/progressing.ts';
import { healthModeOf, isCompiled } from './managed-add-ons.ts';
import type { Hosting } from './hosting.ts';
import { installNamespace } from './registration/install-namespace.ts';
import { registrationsFor } from './registration/registrations.ts';
import { hostingClusterValidity } from '../../ocm/hosted-mode.ts';
import { emptyLocationsAnnotation } from '../../ocm/fleetwright-annotations.ts';
import type { TokenState } from './token-registration/token-registrations.ts';
import {
  tokenFailedCondition,
  tokenInfrastructureReady,
  tokenReadyCondition,
} from '../../ocm/token-infrastructure.ts';
import { addOnGroup } from '../../../schemas/groups.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

/** The inputs that decide the status of an add-on on a cluster. */
export interface AddOnFacts {
  readonly addOn: Stored<ClusterManagementAddOnV1alpha1>;
  readonly onCluster: Stored<ManagedClusterAddOnV1alpha1>;
  readonly cluster: Stored<ManagedClusterV1>;
  /** Undefined for add-ons without a template. */
  readonly template: AddOnTemplateV1alpha1 | undefined;
  readonly deploymentConfig: AddOnDeploymentConfigV1alpha1 | undefined;
  readonly factsOf: (config: ConfigName) => ConfigFacts;
  /** All works of the add-on in the cluster's namespace. */
  readonly works: readonly Stored<ManifestWorkV1>[];
  /** Undefined if the add-on is not in hosted mode. */
  readonly hosting?: Hosting | undefined;
  /** The reason why permissions on the hub could not be set. */
  readonly permissionError: string | undefined;
  /** The state of the objects from which the agent gets its token. @default 'unmanaged' */
  readonly token?: TokenState;
}

/** Returns the status of an add-on on a cluster, including the fields of other writers. */
export function addOnStatus(facts: AddOnFacts, now: number): ManagedClusterAddOnV1alpha1Status {
  const current = facts.onCluster.status ?? {};
  const configs = configsOf(facts.addOn, facts.onCluster);
  const lease = healthModeOf(facts.addOn) === 'lease';
  const decided: ManagedClusterAddOnV1alpha1Status = {
    ...current,
    supportedConfigs: supportedConfigs(facts.addOn),
    configReferences: configReferences(configs, current.configReferences ?? [], facts.factsOf),
    ...registration(facts, current),
    healthCheck: { mode: lease ? 'Lease' : 'Customized' },
  };
  const conditions = new Conditions(current.conditions ?? [], now);
  conditions.set(configured);
  conditions.set(registrationApplied(facts));
  conditions.setToken(facts);
  const { hosting } = facts;
  const works = deployWorks(facts, facts.works);
  const hosted = deployWorks(facts, hosting?.works ?? []);
  conditions.setApplied('ManifestApplied', works, isEmpty(facts, 'managed'));
  if (hosting !== undefined) {
    conditions.set(hostingClusterValidity(hosting.name, hosting.cluster !== undefined));
    // As addon-framework: without a cluster nothing is applied there, and nothing is reported about it.
    if (hosting.cluster !== undefined)
      conditions.setApplied('HostingManifestApplied', hosted, isEmpty(facts, 'hosting'));
  }
  const available = lease
    ? availableByLease(facts.cluster, conditions.get('Available'))
    : unreachable(facts.cluster);
  if (available !== undefined) conditions.set(available);
  else if (!lease && conditions.get('ManifestApplied') !== undefined)
    conditions.set(
      availableByWorks(facts.onCluster.metadata.name, hosting === undefined ? works : hosted, [
        ...works,
        ...hosted,
      ]),
    );
  const status = { ...decided, conditions: conditions.list };
  const { condition, isCompleted } = progressOf({
    spec: facts.onCluster.spec,
    status,
    works: [...works, ...hosted],
    isHosted: hosting !== undefined && hosting.name !== '',
    missing: missingOf(configs, facts.factsOf),
    isCompiled: isCompiled(facts.addOn),
  });
  conditions.set(condition);
  return {
    ...status,
    conditions: conditions.list,
    configReferences: (status.configReferences ?? []).map((reference) =>
      isCompleted && reference.desiredConfig !== undefined
        ? { ...reference, lastAppliedConfig: reference.desiredConfig }
        : reference,
    ),
  };
}

class Conditions {
  list: readonly Condition[];
  readonly #now: number;

  constructor(current: readonly Condition[], now: number) {
    this.list = current;
    this.#now = now;
  }

  get(type: string): Condition | undefined {
    return conditionOf(this.list, type);
  }

  set(condition: DecidedCondition): void {
    this.list = withCondition(this.list, timedCondition(condition, this.#now));
  }

  setToken({ onCluster: { metadata }, token = 'unmanaged' }: AddOnFacts): void {
    if (token === 'unmanaged') return;
    const names = { addOn: metadata.name, cluster: metadata.namespace ?? '' };
    if (token === 'none') this.list = withoutCondition(this.list, tokenInfrastructureReady);
    else this.set('uid' in token ? tokenReadyCondition(names, token.uid) : tokenFailedCondition(token.error));
  }

  setApplied(type: AppliedCondition, works: readonly Stored<ManifestWorkV1>[], isEmpty: boolean): void {
    const applied = manifestApplied(works, this.get(type), isEmpty, type);
    if (applied === 'remove') this.list = withoutCondition(this.list, type);
    else if (applied !== 'keep') this.set(applied);
  }
}

/** As OCM addonconfiguration: the list of the ManagedClusterAddOn is resolved already. */
const configured: DecidedCondition = {
  type: 'Configured',
  status: 'True',
  reason: 'ConfigurationsConfigured',
  message: 'Configurations configured',
};

/**
 * Returns the kinds that the ClusterManagementAddOn lists, and those that works are rendered with. Templates are
 * never listed there: OCM's own template manager would act on them.
 */
function supportedConfigs(
  addOn: ClusterManagementAddOnV1alpha1,
): ManagedClusterAddOnV1alpha1Status['supportedConfigs'] & object {
  const kinds = (addOn.spec.supportedConfigs ?? []).map(({ group = '', resource }) => ({ group, resource }));
  const rendered = isCompiled(addOn) ? [deploymentConfigs, templates] : [templates];
  return [
    ...kinds,
    ...rendered.filter((kind) =>
      kinds.every(({ group, resource }) => group !== kind.group || resource !== kind.resource),
    ),
  ];
}

const templates = { group: addOnGroup, resource: 'addontemplates' };
const deploymentConfigs = { group: addOnGroup, resource: 'addondeploymentconfigs' };

/** Returns the configurations without a hash, each with the reason. */
function missingOf(
  configs: readonly ConfigName[],
  factsOf: (config: ConfigName) => ConfigFacts,
): readonly string[] {
  return configs.flatMap((config) => {
    const { group, resource, namespace, name } = config;
    const { missing } = factsOf(config);
    if (missing === undefined) return [];
    const kind = group === '' ? resource : `${resource}.${group}`;
    return [`${kind} "${namespace === '' ? name : `${namespace}/${name}`}" ${missing}`];
  });
}

/** As on the hub: while permissions cannot be set, the registrations stay. */
function registration(
  { addOn, onCluster, template, deploymentConfig, permissionError }: AddOnFacts,
  { kubeClientDriver }: ManagedClusterAddOnV1alpha1Status,
): Pick<ManagedClusterAddOnV1alpha1Status, 'namespace' | 'registrations'> {
  if (permissionError !== undefined) return {};
  if (template === undefined)
    return { namespace: onCluster.spec.installNamespace ?? defaultInstallNamespace };
  const names = { addOn: addOn.metadata.name, cluster: onCluster.metadata.namespace ?? '' };
  const registrations = registrationsFor(template, names, kubeClientDriver);
  return { namespace: installNamespace(template, deploymentConfig), registrations };
}

function registrationApplied({ template, permissionError }: AddOnFacts): DecidedCondition {
  const type = 'RegistrationApplied';
  if (permissionError !== undefined) {
    const message = `Failed to set permission for hub agent: ${permissionError}`;
    return { type, status: 'False', reason: 'SetPermissionFailed', message };
  }
  const reason = template === undefined ? 'NilRegistration' : 'SetPermissionApplied';
  return { type, status: 'True', reason, message: 'Registration of the addon agent is configured' };
}

/** Returns the works that are to stay: not those of hooks, which run once. */
function deployWorks(
  { onCluster }: AddOnFacts,
  works: readonly Stored<ManifestWorkV1>[],
): readonly Stored<ManifestWorkV1>[] {
  const prefix = `addon-${onCluster.metadata.name}-deploy`;
  return works.filter(({ metadata }) => metadata.name.startsWith(prefix));
}

/** Whether there is nothing to deploy to a cluster: as the compiler found, or because the template has no manifests. */
function isEmpty({ onCluster, template }: AddOnFacts, location: 'managed' | 'hosting'): boolean {
  const locations = onCluster.metadata.annotations?.[emptyLocationsAnnotation] ?? '';
  if (locations.split(',').includes(location)) return true;
  return template !== undefined && (template.spec.agentSpec.workload?.manifests ?? []).length === 0;
}
