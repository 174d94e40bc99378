import type { GoJsonObject } from '../../../base/json/go-json.ts';
import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import { sortByKind } from '../../admit/inventory.ts';
import { deliveryOf } from '../../configure/delivery.ts';
import type { Configuration } from '../../configure/resolved-add-on.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../../model/diagnostic.ts';
import { formatFieldPath } from '../../model/field-path.ts';
import { referenceTo, type Admitted, type Inventory } from '../../model/inventory.ts';
import type { Origin } from '../../model/origin.ts';
import type { RenderFault } from '../fault.ts';
import { explained } from '../fault-diagnostics.ts';
import { hubManifests, type HubTemplateInputs } from './hub-template.ts';
import { clustersByTemplate, clusterVersions, type ClusterVersion } from './template-clusters.ts';
import { isManifestSource } from '../../model/source-kinds.ts';

type Manifests = readonly object[];

/**
 * Converts the sources in templates of add-ons with hub delivery to manifests with variables, because the hub does not know
 * sources. Templates of add-ons with compiled delivery keep theirs. Without sources, the inventory is returned unchanged.
 *
 * @param configuration - returns that of the inventory. It is only called for a source that reads the version of Kubernetes
 */
export function withHubTemplates(
  inventory: Inventory,
  configuration: () => Configuration,
): Outcome<Inventory> {
  const diagnostics: Diagnostic[] = [];
  const converted = new Map<string, Conversion>();
  let byTemplate: ReturnType<typeof clustersByTemplate> | undefined;
  const versionsOf = (template: string): readonly ClusterVersion[] => {
    byTemplate ??= clustersByTemplate(inventory, configuration());
    return clusterVersions(byTemplate.get(template) ?? [], inventory);
  };
  for (const [name, template] of inventory.addOnTemplates) {
    const { addonName, agentSpec } = template.object.spec;
    const addOn = inventory.clusterManagementAddOns.get(addonName);
    const isCompiled = addOn !== undefined && deliveryOf(addOn.object) === 'compiled';
    if (isCompiled || !(agentSpec.workload?.manifests ?? []).some(isManifestSource)) continue;
    const conversion = convert(template, inventory, () => versionsOf(name));
    diagnostics.push(...conversion.diagnostics);
    converted.set(name, conversion);
  }
  if (converted.size === 0) return { value: inventory, diagnostics };
  const objects = inventory.objects.map((admitted) => {
    const { kind, metadata } = admitted.object;
    const conversion = kind === 'AddOnTemplate' ? converted.get(metadata.name ?? '') : undefined;
    return conversion === undefined ? admitted : withManifests(admitted, conversion);
  });
  return { value: sortByKind(objects, inventory.elsewhere), diagnostics };
}

interface Conversion {
  readonly manifests: Manifests;
  /** For each manifest, the position of the written one. */
  readonly positions: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
}

function convert(
  { object: template, origin }: Admitted<AddOnTemplateV1alpha1>,
  { addOnDeploymentConfigs, managedClusters }: Inventory,
  versions: HubTemplateInputs['versions'],
): Conversion {
  const { addonName: addOn, agentSpec, registration } = template.spec;
  const inputs: HubTemplateInputs = {
    addOn,
    registers: registration !== undefined,
    configs: Array.from(addOnDeploymentConfigs.values(), ({ object }) => object),
    clusters: [...managedClusters.keys()],
    versions,
  };
  const manifests: object[] = [];
  const positions: number[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [position, manifest] of (agentSpec.workload?.manifests ?? []).entries()) {
    const result = isManifestSource(manifest)
      ? hubManifests(manifest as unknown as GoJsonObject, inputs)
      : { manifests: [manifest], warnings: [] };
    const path = ['spec', 'agentSpec', 'workload', 'manifests', position];
    const place = {
      object: referenceTo(template),
      path: formatFieldPath(path),
      location: origin.locate(path),
    };
    if ('error' in result) {
      const code = result.code === 'FW6051' ? 'FW6051' : 'FW6037';
      // The render phase reports all other faults for the clusters that have the add-on.
      if (code === result.code || versions().length === 0)
        diagnostics.push(
          diagnostic(code, {
            message: `the chart or Go templates of add-on "${addOn}" cannot become a template of the hub: ${result.error}`,
            ...place,
            hint: hintOf(result),
          }),
        );
    } else
      for (const warning of result.warnings) {
        const { what, hint } = explained(warning);
        const message = `${what} of add-on "${addOn}": ${warning.error}`;
        if (warning.code !== undefined)
          diagnostics.push(diagnostic(warning.code, { message, ...place, hint }));
      }
    const replacements = 'error' in result ? [manifest] : result.manifests;
    manifests.push(...replacements);
    positions.push(...replacements.map(() => position));
  }
  return { manifests, positions, diagnostics };
}

function hintOf(fault: RenderFault): string {
  return fault.code === 'FW6037' && fault.hint === undefined
    ? 'set delivery: compiled on the ClusterManagementAddOn, or use the value only as a text'
    : explained(fault).hint;
}

function withManifests(admitted: Admitted, { manifests, positions }: Conversion): Admitted {
  const { spec } = admitted.object as KubernetesObject & { readonly spec: AddOnTemplateV1alpha1['spec'] };
  const { agentSpec } = spec;
  const workload = { ...agentSpec.workload, manifests };
  return {
    ...admitted,
    object: { ...admitted.object, spec: { ...spec, agentSpec: { ...agentSpec, workload } } },
    origin: originOfSources(admitted.origin, positions),
  };
}

/** A manifest of a source is where the source is. */
function originOfSources(origin: Origin, positions: readonly number[]): Origin {
  return {
    get location() {
      return origin.location;
    },
    locate(path) {
      const [spec, agentSpec, workload, manifests, index, ...rest] = path;
      const position = manifests === 'manifests' && typeof index === 'number' ? positions[index] : undefined;
      if (position === undefined) return origin.locate(path);
      const isSource = positions.filter((each) => each === position).length > 1;
      const within = isSource ? [] : rest;
      return origin.locate(
        [spec, agentSpec, workload, manifests, position, ...within].filter((step) => step !== undefined),
      );
    },
  };
}
