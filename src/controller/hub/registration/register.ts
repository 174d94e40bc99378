import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import { ApiError, isConflict } from '../../../client/api-error.ts';
import { keyOfName } from '../../../client/object.ts';
import { configsOf } from '../configuration/config-references.ts';
import type { ControllerContext } from '../controller-context.ts';
import { templateNameOf, type ManagedOnCluster } from '../managed-add-ons.ts';
import { mayUseTemplate, sharedWithAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { applyPermissions } from './apply-permissions.ts';
import { hubPermissions } from './hub-permissions.ts';
import { isDeploymentConfig } from '../../../ocm/referent.ts';
import { agentUser, tokenUser } from '../../../ocm/agent-identity.ts';
import { declaredRegistrations } from '../../../ocm/registration.ts';

/** The result of registering an add-on on a cluster. */
export interface Registering {
  readonly template: AddOnTemplateV1alpha1 | undefined;
  readonly deploymentConfig: AddOnDeploymentConfigV1alpha1 | undefined;
  /** Whether the agent needs a token, instead of a certificate. `unknown` without its template, which decides that. */
  readonly token: 'needed' | 'not-needed' | 'unknown';
  /** The message of the condition. */
  readonly error: string | undefined;
  /** The error that causes a retry. */
  readonly cause?: unknown;
}

/** Sets the permissions of the agent on the hub, as far as its template and the API server allow it. */
export async function register(
  { client, informers, ownerVersion }: ControllerContext,
  { key, addOn, onCluster, cluster }: ManagedOnCluster,
  signal: AbortSignal,
): Promise<Registering> {
  const name = templateNameOf(addOn, onCluster);
  const template = name === undefined ? undefined : informers.addOnTemplates.store.get(name);
  const config = configsOf(addOn, onCluster).find(isDeploymentConfig);
  const deploymentConfig =
    config === undefined ? undefined : informers.addOnDeploymentConfigs.store.get(keyOfName(config));
  const hasToken = onCluster.status?.kubeClientDriver === 'token';
  const registersKubeClient = template !== undefined && declaresKubeClient(template);
  const token = hasToken && registersKubeClient ? ('needed' as const) : ('not-needed' as const);
  const configs = { template, deploymentConfig, token };
  const { name: clusterName } = cluster.metadata;
  if (cluster.spec?.hubAcceptsClient !== true)
    return {
      ...configs,
      token: 'not-needed',
      error: `the hub does not accept the cluster ${clusterName}`,
    };
  if (name !== undefined && template === undefined)
    return {
      ...configs,
      token: 'unknown',
      error: `addontemplates.addon.open-cluster-management.io "${name}" not found`,
    };
  if (template !== undefined && !mayUseTemplate(addOn.metadata.name, template)) {
    // The permissions of an earlier template are removed too: they cannot be distinguished from those of this one.
    await applyPermissions(client, [], informers.roleBindings.store.by('holder', key), signal);
    return { ...configs, template: undefined, token: 'not-needed', error: foreignTemplate(template) };
  }
  if (config !== undefined && deploymentConfig === undefined)
    return {
      ...configs,
      error: `addondeploymentconfigs.addon.open-cluster-management.io "${config.name}" not found`,
    };
  const onThis = { addOn: addOn.metadata.name, cluster: clusterName };
  const user = hasToken ? tokenUser(onThis) : agentUser(onThis);
  const owner = {
    apiVersion: ownerVersion,
    kind: 'ManagedClusterAddOn',
    name: onThis.addOn,
    uid: onCluster.metadata.uid,
  };
  const permissions =
    template === undefined ? { bindings: [] } : hubPermissions(template, { ...onThis, owner, user });
  if ('error' in permissions) return { ...configs, error: permissions.error };
  try {
    await applyPermissions(
      client,
      permissions.bindings,
      informers.roleBindings.store.by('holder', key),
      signal,
    );
  } catch (cause) {
    // Another writer was first, which need not be reported.
    if (!(cause instanceof ApiError) || isConflict(cause)) throw cause;
    return { ...configs, error: cause.status.message, cause };
  }
  return { ...configs, error: undefined };
}

function declaresKubeClient(template: AddOnTemplateV1alpha1): boolean {
  return declaredRegistrations(template).some(({ type }) => type === 'KubeClient');
}

/** Anyone who may write a ManagedClusterAddOn can name any template in it. */
function foreignTemplate({ metadata: { name = '' }, spec: { addonName } }: AddOnTemplateV1alpha1): string {
  return `AddOnTemplate "${name}" belongs to the add-on "${addonName}" and is not shared: its annotation ${sharedWithAnnotation} lists the other add-ons that may use it`;
}
