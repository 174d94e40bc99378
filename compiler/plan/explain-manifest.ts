import type { AddOnDeploymentConfigV1alpha1 } from '../../schemas/types.gen.ts';
import type { ClusterAddOn } from '../configure/configuration.ts';
import { isDeploymentConfig, isTemplate } from '../api/referent.ts';
import type { FieldPath } from '../field-path.ts';
import { goJson } from '../../encoding/go-json.ts';
import type { HubVersion } from '../hub-version.ts';
import { objectKey, type Admitted } from '../inventory.ts';
import type { Location } from '../origin.ts';
import { imageRegistriesAnnotation } from '../render/image-registries.ts';
import { render } from '../render/render.ts';
import type { Resolution } from '../resolve.ts';
import { leavesOf } from './compare-values.ts';
import { isBelow } from './explain-values.ts';

/** A value of a rendered manifest, and what gave it. */
export interface ExplainedManifestValue {
  /** `Deployment agents/agent`. */
  readonly object: string;
  readonly path: string;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
  /** Without which it would be another value; the template's manifest where there is nothing else. */
  readonly decidedBy: readonly Decider[];
}

/** Something written that decides a rendered value. */
export interface Decider {
  /** `registry quay.io/a -> mirror/a of AddOnDeploymentConfig default/x`. */
  readonly what: string;
  readonly location: Location;
  /** What the value would be without it; absent where it would not be there. */
  readonly without?: unknown;
}

/** A manifest as users name it: `Deployment/agent` or `Deployment/agents/agent`, with a field behind a blank. */
export interface ManifestField {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly field: string;
}

/** Reads `Deployment/agent .spec.replicas`; undefined if the text names no manifest. */
export function parseManifestField(text: string): ManifestField | undefined {
  const [, kind, one = '', other, field = ''] =
    /^([A-Za-z]\w*)\/([^/\s]+)(?:\/([^/\s]+))?(?:\s+\.?(.*))?$/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return other === undefined ? { kind, name: one, field } : { kind, namespace: one, name: other, field };
}

/**
 * The values of a manifest, each with what decides it. That is found by rendering again without one part of the
 * configuration after the other, so that it is the renderer's own answer, whatever the part does.
 */
export function explainManifest(
  { configuration, inventory, decisions }: Resolution,
  addOn: string,
  clusterAddOn: ClusterAddOn,
  wanted: ManifestField,
  hub: HubVersion,
): ExplainedManifestValue[] {
  const resolved = configuration.get(addOn);
  if (resolved === undefined) return [];
  const { cluster } = clusterAddOn;
  const alone = new Map([[addOn, { ...resolved, clusters: new Map([[cluster, clusterAddOn]]) }]]);
  const valuesWith = (changed: Partial<Resolution>): ReadonlyMap<string, ManifestValue> => {
    const rendering = render(
      { ...inventory, ...changed.inventory },
      { ...decisions, ...changed.decisions },
      alone,
      { hub },
    ).value;
    const manifests = manifestsOf({ rendering }, addOn, cluster);
    return new Map(manifestValues(manifests, wanted).map((value) => [value.key, value]));
  };
  const actual = valuesWith({});
  const parts = partsOf({ inventory, decisions }, clusterAddOn);
  const trials = parts.map((part) => ({ part, values: valuesWith(part.without) }));
  return [...actual.values()].map(({ key, object, path, value, secret }) => {
    const decidedBy = trials.flatMap(({ part, values }): Decider[] => {
      const other = values.get(key);
      if (other !== undefined && goJson(other.value) === goJson(value)) return [];
      const { what, location } = part;
      return [{ what, location, ...(other === undefined ? {} : { without: other.value }) }];
    });
    return {
      object,
      path,
      value,
      ...(secret && { secret }),
      decidedBy: decidedBy.length > 0 ? decidedBy : templatePlace({ inventory }, clusterAddOn),
    };
  });
}

/** A manifest that a cluster receives, with what names it. */
export interface NamedManifest {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly content: unknown;
}

/** The manifests that an add-on delivers to a cluster, in order. */
export function manifestsOf(
  { rendering }: Pick<Resolution, 'rendering'>,
  addOn: string,
  cluster: string,
): readonly NamedManifest[] {
  const works = rendering.clusterAddOn(addOn, cluster)?.works ?? [];
  return works
    .flatMap(({ spec }) => spec?.workload?.manifests ?? [])
    .map((content): NamedManifest => {
      const { kind = '', metadata = {} } = content as {
        kind?: string;
        metadata?: { name?: string; namespace?: string };
      };
      const { name = '', namespace } = metadata;
      return { kind, name, ...(namespace === undefined ? {} : { namespace }), content };
    });
}

/** The manifest as `parseManifestField` reads it, without the field: `Deployment/agents/agent`. */
export function manifestWords({ kind, name, namespace }: Omit<NamedManifest, 'content'>): string {
  return `${kind}/${objectKey(namespace, name)}`;
}

/** The values of the manifests that are wanted, without what decides them. */
export function manifestValues(
  manifests: readonly NamedManifest[],
  wanted: ManifestField,
): readonly ManifestValue[] {
  return manifests.flatMap((manifest) => valuesOf(manifest, wanted));
}

/** A value of a rendered manifest. */
export interface ManifestValue {
  readonly key: string;
  readonly object: string;
  readonly path: string;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
}

function valuesOf(manifest: NamedManifest, { kind, name, namespace, field }: ManifestField): ManifestValue[] {
  if (manifest.kind !== kind || manifest.name !== name) return [];
  if (namespace !== undefined && manifest.namespace !== namespace) return [];
  const object = `${kind} ${objectKey(manifest.namespace, name)}`;
  return leavesOf(manifest.content)
    .filter(({ path, fieldPath }) => isBelow(path, field) || isBelow(positional(fieldPath), field))
    .map(({ path, value, secret }) => ({ key: path, object, path, value, ...(secret && { secret }) }));
}

/** With positions where the other form has names: `containers[0]`. */
function positional(path: FieldPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

/** Something that can be left out of what is rendered from. */
interface Part {
  readonly what: string;
  readonly location: Location;
  readonly without: Partial<Resolution>;
}

function partsOf(
  { inventory, decisions }: Pick<Resolution, 'inventory' | 'decisions'>,
  clusterAddOn: ClusterAddOn,
): Part[] {
  const parts: Part[] = [];
  const reference = clusterAddOn.effective.references.find(isDeploymentConfig);
  const key = reference && objectKey(reference.namespace, reference.name);
  const config = key === undefined ? undefined : inventory.addOnDeploymentConfigs.get(key);
  if (key !== undefined && config !== undefined) {
    for (const { what, path, spec } of configParts(config)) {
      const changed: Admitted<AddOnDeploymentConfigV1alpha1> = {
        ...config,
        object: { ...config.object, spec },
      };
      const addOnDeploymentConfigs = new Map([...inventory.addOnDeploymentConfigs, [key, changed]]);
      parts.push({
        what: `${what} of AddOnDeploymentConfig ${key}`,
        location: config.origin.locate(path),
        without: { inventory: { ...inventory, addOnDeploymentConfigs } },
      });
    }
  }
  const { cluster } = clusterAddOn;
  const admitted = inventory.managedClusters.get(cluster);
  const managed = decisions.clusters.get(cluster);
  if (admitted !== undefined && managed?.metadata.annotations?.[imageRegistriesAnnotation] !== undefined) {
    const { [imageRegistriesAnnotation]: _removed, ...annotations } = managed.metadata.annotations;
    const changed = { ...managed, metadata: { ...managed.metadata, annotations } };
    parts.push({
      what: `annotation ${imageRegistriesAnnotation} of ManagedCluster ${cluster}`,
      location: admitted.origin.locate(['metadata', 'annotations', imageRegistriesAnnotation]),
      without: {
        decisions: { ...decisions, clusters: new Map([...decisions.clusters, [cluster, changed]]) },
      },
    });
  }
  return parts;
}

type ConfigSpec = AddOnDeploymentConfigV1alpha1['spec'];

/** The spec without each of its entries and fields. */
function configParts({ object: { spec } }: Admitted<AddOnDeploymentConfigV1alpha1>): {
  readonly what: string;
  readonly path: FieldPath;
  readonly spec: ConfigSpec;
}[] {
  const { customizedVariables = [], registries = [], resourceRequirements = [] } = spec;
  const at = <T>(list: readonly T[], index: number): T[] => list.filter((_entry, other) => other !== index);
  return [
    ...customizedVariables.map(({ name }, index) => ({
      what: `variable ${name}`,
      path: ['spec', 'customizedVariables', index],
      spec: { ...spec, customizedVariables: at(customizedVariables, index) },
    })),
    ...registries.map(({ source = '', mirror }, index) => ({
      what: `registry ${source === '' ? 'of all images' : source} -> ${mirror}`,
      path: ['spec', 'registries', index],
      spec: { ...spec, registries: at(registries, index) },
    })),
    ...resourceRequirements.map(({ containerID }, index) => ({
      what: `resource requirements for ${containerID}`,
      path: ['spec', 'resourceRequirements', index],
      spec: { ...spec, resourceRequirements: at(resourceRequirements, index) },
    })),
    ...(['nodePlacement', 'proxyConfig', 'agentInstallNamespace'] as const)
      .filter((field) => spec[field] !== undefined)
      .map((field) => {
        const { [field]: _removed, ...rest } = spec;
        return { what: field, path: ['spec', field], spec: rest };
      }),
  ];
}

function templatePlace({ inventory }: Pick<Resolution, 'inventory'>, clusterAddOn: ClusterAddOn): Decider[] {
  const name = clusterAddOn.effective.references.find(isTemplate)?.name;
  const template = name === undefined ? undefined : inventory.addOnTemplates.get(name);
  if (name === undefined || template === undefined) return [];
  const location = template.origin.locate(['spec', 'agentSpec', 'workload', 'manifests']);
  return [{ what: `AddOnTemplate ${name}`, location }];
}
