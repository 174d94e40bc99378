import { type LoadedObject } from '../compiler/model/inventory.ts';
import { admit } from '../compiler/admit/admit.ts';
import { withoutServerFields } from '../compiler/hub-metadata.ts';
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from '../compiler/model/diagnostic.ts';
import type { FieldPath } from '../compiler/model/field-path.ts';
import type { Location, Origin } from '../compiler/model/origin.ts';
import { dnsLabelErrors } from '../base/names/name-errors.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { defaultInstallNamespace } from '../ocm/install-namespace.ts';
import { addOnGroup, clusterGroup } from '../../schemas/groups.ts';
import { omittedMetadata } from './live-metadata.ts';
import { manifestFindings } from './template-manifests.ts';
import { scopesIn } from '../ocm/clusters/kind-scope.ts';

/** The add-on that `asTemplate` creates. */
export interface TemplateTarget {
  /** The name of the add-on. */
  readonly addOn: string;
  /**
   * The Placement that selects its clusters, which exists elsewhere.
   *
   * @default - a new Placement of all clusters that the add-on's namespace can select
   */
  readonly placement?: PlacementName | undefined;
}

/** The name of a Placement. */
export interface PlacementName {
  readonly namespace: string;
  readonly name: string;
}

/** The location of an object that contains others. */
export interface ComposedOrigin extends Origin {
  /** The objects that it contains, each with its path. */
  readonly parts: readonly { readonly origin: Origin; readonly path: FieldPath }[];
}

const manifestsPath = ['spec', 'agentSpec', 'workload', 'manifests'] as const;

/**
 * Returns the objects of an add-on that delivers a workload: an AddOnTemplate with the objects as its manifests, and a
 * ClusterManagementAddOn that installs it. Without a Placement, also one for all clusters, in a namespace named after the add-on.
 *
 * @returns no objects if the hub cannot deliver one of the objects as it is
 */
export function asTemplate(
  workload: readonly LoadedObject[],
  target: TemplateTarget,
): Outcome<readonly LoadedObject[]> {
  const { diagnostics: rejected } = admit(workload);
  const objects = workload.map(({ object }) => object);
  const scopeOf = scopesIn(objects);
  const isNamespaced = (object: KubernetesObject): boolean => scopeOf(object) === 'Namespaced';
  const diagnostics = [
    ...addOnNameFaults(target.addOn),
    ...rejected,
    ...manifestFindings(workload, isNamespaced),
    ...omittedMetadata(workload),
  ];
  if (hasErrors(diagnostics)) return { value: [], diagnostics };
  const manifests = objects.map((object) => manifestOf(object, isNamespaced));
  return { value: addOnObjects(manifests, originOf(workload), target), diagnostics };
}

/** Returns the object without state, in the namespace that it gets on the clusters. */
function manifestOf(
  object: KubernetesObject,
  isNamespaced: (object: KubernetesObject) => boolean,
): KubernetesObject {
  const manifest = withoutServerFields(object);
  if (manifest.metadata.namespace !== undefined || !isNamespaced(object)) return manifest;
  return { ...manifest, metadata: { ...manifest.metadata, namespace: defaultInstallNamespace } };
}

/** Reports a name that an add-on cannot have: it is a label of its objects, and the name of its namespace on the hub. */
export function addOnNameFaults(addOn: string): Diagnostic[] {
  return dnsLabelErrors(addOn)
    .slice(0, 1)
    .map((error) =>
      diagnostic('FW9098', {
        message: `the add-on cannot be named "${addOn}": ${error}`,
        hint: 'choose a name of at most 63 lower-case letters, digits and "-"',
      }),
    );
}

function addOnObjects(
  manifests: readonly KubernetesObject[],
  origin: ComposedOrigin,
  { addOn, placement }: TemplateTarget,
): LoadedObject[] {
  const template = `${addOn}-1.0.0`;
  const selected = placement ?? { namespace: addOn, name: 'all' };
  const created = (object: KubernetesObject): LoadedObject => ({
    object,
    origin: { location: { construct: addOn }, locate: () => ({ construct: addOn }) },
    source: 'app',
  });
  return [
    ...(placement === undefined ? placementOfAll(selected).map(created) : []),
    {
      object: {
        apiVersion: `${addOnGroup}/v1alpha1`,
        kind: 'AddOnTemplate',
        metadata: { name: template },
        spec: { addonName: addOn, agentSpec: { workload: { manifests } } },
      },
      origin,
      source: 'app',
    },
    created({
      apiVersion: `${addOnGroup}/v1beta1`,
      kind: 'ClusterManagementAddOn',
      metadata: {
        name: addOn,
        annotations: { [`${addOnGroup}/lifecycle`]: 'addon-manager' },
      },
      spec: {
        addOnMeta: { displayName: addOn },
        defaultConfigs: [{ group: addOnGroup, resource: 'addontemplates', name: template }],
        installStrategy: {
          type: 'Placements',
          placements: [{ ...selected, rolloutStrategy: { type: 'All' } }],
        },
      },
    }),
  ];
}

/** A Placement selects from the cluster sets that are bound to its namespace. The set "global" has every cluster. */
function placementOfAll({ namespace, name }: PlacementName): KubernetesObject[] {
  const tolerated = ['unreachable', 'unavailable'];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: `${clusterGroup}/v1beta2`,
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace },
      spec: { clusterSet: 'global' },
    },
    {
      apiVersion: `${clusterGroup}/v1beta1`,
      kind: 'Placement',
      metadata: { name, namespace },
      // without these, the hub uninstalls the add-on from a cluster that is offline
      spec: {
        tolerations: tolerated.map((taint) => ({ key: `${clusterGroup}/${taint}`, operator: 'Exists' })),
      },
    },
  ];
}

/** Locates each manifest at the object that it was. */
function originOf(workload: readonly LoadedObject[]): ComposedOrigin {
  const location: Location = workload[0]?.origin.location ?? { construct: 'workload' };
  return {
    location,
    locate: (path) => {
      const isInManifest = manifestsPath.every((step, depth) => path[depth] === step);
      const index = isInManifest ? path[manifestsPath.length] : undefined;
      const origin = typeof index === 'number' ? workload[index]?.origin : undefined;
      return origin?.locate(path.slice(manifestsPath.length + 1)) ?? location;
    },
    parts: workload.map(({ origin }, index) => ({ origin, path: [...manifestsPath, index] })),
  };
}
