import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import { agentNamespace } from '../../../ocm/agent-namespace.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { declaredRegistrations, registrationSecret } from '../../../ocm/registration.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { registrationVolumes } from '../../render/decoration/registration-volumes.ts';
import type { RenderGroup } from '../../render/render-result.ts';
import type { Delivery } from './deliveries.ts';

/** The Secrets that the registration agent of a cluster writes for the agents of an add-on. */
export interface AgentCredentials {
  /** As getAddOnInstallationNamespace of OCM's registration agent, which reads the status that the hub writes. */
  readonly namespace: string;
  readonly names: ReadonlySet<string>;
  /** The names that the hub writes into the pods, which can be others. */
  readonly mounted: ReadonlySet<string>;
  /** Whether the clusters of the delivery get them. In hosted mode, only hosting clusters do, as startRegistration. */
  readonly isHere: boolean;
}

/** Returns the credentials of the agents that a delivery contains. Undefined if they do not register. */
export function agentCredentials(
  { addOn, group, isHosted }: Delivery,
  hub: HubVersion,
): AgentCredentials | undefined {
  if (addOn === undefined || group === undefined) return undefined;
  const template = group.template.object;
  const registrations = declaredRegistrations(template);
  const { settings } = group.manifests;
  if (registrations.length === 0 || 'error' in settings) return undefined;
  return {
    namespace: settings.installNamespace || namespaceOf(template, hub),
    names: new Set(registrations.map(({ signerName }) => registrationSecret(addOn, signerName))),
    mounted: mountedNames(addOn, group),
    isHere: isHosted !== true,
  };
}

const namespaces = new WeakMap<AddOnTemplateV1alpha1, Map<HubVersion, string>>();

/** Many classes of clusters have one template. */
function namespaceOf(template: AddOnTemplateV1alpha1, hub: HubVersion): string {
  const byHub = namespaces.get(template) ?? new Map<HubVersion, string>();
  namespaces.set(template, byHub);
  const namespace = byHub.get(hub) ?? agentNamespace(template, hub.kubernetesMinor);
  byHub.set(hub, namespace);
  return namespace;
}

function mountedNames(addOn: string, { template }: RenderGroup): ReadonlySet<string> {
  const volumes = registrationVolumes(addOn, template.object);
  if ('error' in volumes) return new Set();
  return new Set(
    volumes.volumes.map((volume) => {
      const { secret } = volume as { readonly secret?: unknown };
      return isJsonMap(secret) ? String(secret['secretName']) : '';
    }),
  );
}
