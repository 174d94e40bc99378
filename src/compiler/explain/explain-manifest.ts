import { referenceRead } from '../configure/effective.ts';
import type { AddOnDeploymentConfigV1alpha1 } from '../../../schemas/types.gen.ts';
import { AddOnClusters } from '../configure/add-on-clusters.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { isDeploymentConfig, isTemplate } from '../../ocm/referent.ts';
import type { FieldPath } from '../model/field-path.ts';
import { decidingSource, layersOfField, layerWords } from '../parameters/layers-of-value.ts';
import { readInputs } from '../render/inputs.ts';
import { isManifestSource } from '../model/source-kinds.ts';
import { sourceOrigins, type ReadValue, type SourceOrigin } from '../render/sources/source-renderer.ts';
import { addOnFacts, rulesOf } from '../render/sources/source-values.ts';
import { valuesAnnotation } from '../render/agent-values/values-functions.ts';
import { goJson, type GoJsonObject } from '../../base/json/go-json.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { Location } from '../model/origin.ts';
import { imageRegistriesAnnotation } from '../render/decoration/image-registries.ts';
import { render } from '../render/render.ts';
import type { Resolution } from '../resolve.ts';
import { onHosting } from '../compare/works/compare-rendering.ts';
import { leavesOf } from '../compare/compare-values.ts';
import { isBelow } from './explain-values.ts';

/** A value of a rendered manifest, and the inputs that decide it. */
export interface ExplainedManifestValue {
  /** `Deployment agents/agent`. */
  readonly object: string;
  readonly path: string;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
  /** The inputs without which the value would be different. If there are none, the template's manifest. */
  readonly decidedBy: readonly Decider[];
  /** The places of a chart or of Go templates that write the value. Absent if a manifest of the template has it. */
  readonly origins?: readonly ExplainedOrigin[];
}

/** A place of a chart or of Go templates that writes a value, and the values that it reads. */
export interface ExplainedOrigin extends Omit<SourceOrigin, 'values'> {
  readonly values: readonly (Omit<ReadValue, 'writtenAt'> & {
    /** Where the layer has the value. A `values.yaml` is a file of the chart. */
    readonly location?: Location;
  })[];
}

/** An input that decides a rendered value. */
export interface Decider {
  /** `registry quay.io/a -> mirror/a of AddOnDeploymentConfig default/x`. */
  readonly what: string;
  readonly location: Location;
  /** The value without this input. Absent if the value would not exist. */
  readonly without?: unknown;
}

/** A manifest in the form that users enter: `Deployment/agent` or `Deployment/agents/agent`, followed by a space and a field. */
export interface ManifestField {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly field: string;
}

/** Parses `Deployment/agent .spec.replicas`. Returns undefined if the text names no manifest. */
export function parseManifestField(text: string): ManifestField | undefined {
  const [, kind, one = '', other, field = ''] =
    /^([A-Za-z]\w*)\/([^/\s]+)(?:\/([^/\s]+))?(?:\s+\.?(.*))?$/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return other === undefined ? { kind, name: one, field } : { kind, namespace: one, name: other, field };
}

/**
 * Explains the values of a manifest, each with the inputs that decide it. Renders again with one part of the configuration left
 * out at a time, so that the result is the renderer's own, regardless of what the part does.
 */
export function explainManifest(
  { configuration, inventory, decisions, parameters }: Resolution,
  addOn: string,
  clusterAddOn: ClusterAddOn,
  wanted: ManifestField,
  hub: HubVersion,
): ExplainedManifestValue[] {
  const resolved = configuration.get(addOn);
  if (resolved === undefined) return [];
  const { cluster } = clusterAddOn;
  const valuesWith = ({
    clusterAddOn: on = clusterAddOn,
    ...changed
  }: Inputs): ReadonlyMap<string, ManifestValue> => {
    const clusters = new AddOnClusters({ individual: new Map([[cluster, on]]) });
    const alone = new Map([[addOn, { ...resolved, clusters }]]);
    const rendering = render(changed.inventory ?? inventory, changed.decisions ?? decisions, alone, {
      hub,
    }).value;
    const manifests = manifestsOf({ rendering }, addOn, cluster);
    return new Map(manifestValues(manifests, wanted).map((value) => [value.key, value]));
  };
  const actual = valuesWith({});
  const parts = partsOf({ inventory, decisions, parameters }, resolved, clusterAddOn);
  const trials = parts.map((part) => ({ part, values: valuesWith(part.without) }));
  const originsOf = valueOrigins({ inventory, decisions }, resolved, clusterAddOn, hub);
  return [...actual.values()].map((each) => {
    const { key, object, path, value, secret } = each;
    const origins = originsOf(each);
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
      decidedBy: decidedBy.length > 0 ? decidedBy : sourcePlace({ inventory }, addOn, clusterAddOn),
      ...(origins.length > 0 && { origins }),
    };
  });
}

/** Returns what finds the places of the sources that write a value. */
function valueOrigins(
  { inventory, decisions }: Pick<Resolution, 'inventory' | 'decisions'>,
  resolved: ResolvedAddOn,
  clusterAddOn: ClusterAddOn,
  hub: HubVersion,
): (value: ManifestValue) => readonly ExplainedOrigin[] {
  const { cluster, effective } = clusterAddOn;
  const { name: addOn } = resolved;
  const managed = decisions.clusters.get(cluster);
  const { template, config, annotation } = readInputs(resolved, effective.references, managed, inventory);
  const profile = inventory.managerProfiles?.get(addOn);
  if ('error' in template && profile === undefined) return () => [];
  const { agentSpec, registration } = 'error' in template ? {} : template.object.spec;
  const inputs = {
    addOn,
    config: config === undefined || 'error' in config ? undefined : config.object,
    imageRegistries: annotation,
    registers: profile?.registers ?? registration !== undefined,
    rules: profile === undefined ? rulesOf(resolved.delivery) : 'addon-framework',
  };
  const facts = addOnFacts(resolved, clusterAddOn, managed, hub);
  const sources =
    profile === undefined
      ? (agentSpec?.workload?.manifests ?? []).map((source, index) => ({
          source,
          locate: (path: FieldPath) =>
            'error' in template
              ? undefined
              : template.origin.locate(['spec', 'agentSpec', 'workload', 'manifests', index, ...path]),
        }))
      : [
          {
            source: profile.source,
            locate: ([, ...path]: FieldPath) =>
              profile.declaration.origin.locate(['spec', profile.field, ...path]),
          },
        ];
  const finders = sources
    .filter(({ source }) => isManifestSource(source))
    .map(({ source, locate }) => ({
      locate,
      find: sourceOrigins(source as unknown as GoJsonObject, inputs, cluster, facts),
    }));
  return ({ manifest: { kind, name, namespace }, fieldPath }) => {
    const field = { kind, name, ...(namespace === undefined ? {} : { namespace }), path: fieldPath };
    return finders.flatMap(({ find, locate }) => find(field).map((each) => located(each, locate)));
  };
}

function located(
  { values, ...origin }: SourceOrigin,
  locate: (path: FieldPath) => Location | undefined,
): ExplainedOrigin {
  return {
    ...origin,
    values: values.map(({ writtenAt, ...value }) => {
      const location =
        writtenAt === undefined || 'file' in writtenAt
          ? writtenAt && { ...writtenAt, column: 1 }
          : locate(writtenAt.field);
      return { ...value, ...(location && { location }) };
    }),
  };
}

/** A manifest that a cluster receives, with its identifying fields. */
export interface NamedManifest {
  /** Whether the hosting cluster gets it, in hosted mode. */
  readonly isHosted?: true;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly content: unknown;
}

/** Returns the manifests that an add-on delivers to a cluster, in order. */
export function manifestsOf(
  { rendering }: Pick<Resolution, 'rendering'>,
  addOn: string,
  cluster: string,
): readonly NamedManifest[] {
  const works = rendering.predicted(addOn, cluster)?.works ?? [];
  return works
    .flatMap(({ metadata: { namespace }, spec }) =>
      (spec?.workload?.manifests ?? []).map((content) => ({ content, isHosted: namespace !== cluster })),
    )
    .map(({ content, isHosted }): NamedManifest => {
      const { kind = '', metadata = {} } = content as {
        kind?: string;
        metadata?: { name?: string; namespace?: string };
      };
      const { name = '', namespace } = metadata;
      return {
        ...(isHosted && { isHosted }),
        kind,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        content,
      };
    });
}

/** Returns the manifest in the form that `parseManifestField` reads, without the field: `Deployment/agents/agent`. */
export function manifestWords({ kind, name, namespace }: Omit<NamedManifest, 'content'>): string {
  return `${kind}/${objectKey(namespace, name)}`;
}

/** Returns the values of the requested manifests, without the inputs that decide them. */
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
  readonly manifest: Omit<NamedManifest, 'content'>;
  readonly path: string;
  readonly fieldPath: FieldPath;
  readonly value: unknown;
  /** Whether it is content of a Secret. */
  readonly secret?: true;
}

function valuesOf(manifest: NamedManifest, { kind, name, namespace, field }: ManifestField): ManifestValue[] {
  if (manifest.kind !== kind || manifest.name !== name) return [];
  if (namespace !== undefined && manifest.namespace !== namespace) return [];
  const where = manifest.isHosted === true ? onHosting : '';
  const object = `${kind} ${objectKey(manifest.namespace, name)}${where}`;
  return leavesOf(manifest.content)
    .filter(({ path, fieldPath }) => isBelow(path, field) || isBelow(positional(fieldPath), field))
    .map(({ path, fieldPath, value, secret }) => ({
      key: `${path}${where}`,
      object,
      manifest,
      path,
      fieldPath,
      value,
      ...(secret && { secret }),
    }));
}

/** Returns the path with positions instead of names: `containers[0]`. */
function positional(path: FieldPath): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}

/** The renderer's inputs that differ from the actual ones. */
interface Inputs extends Partial<Pick<Resolution, 'inventory' | 'decisions'>> {
  readonly clusterAddOn?: ClusterAddOn;
}

/** A part of the renderer's inputs that can be left out. */
interface Part {
  readonly what: string;
  readonly location: Location;
  readonly without: Inputs;
}

function partsOf(
  { inventory, decisions, parameters }: Pick<Resolution, 'inventory' | 'decisions' | 'parameters'>,
  addOn: ResolvedAddOn,
  clusterAddOn: ClusterAddOn,
): Part[] {
  const parts: Part[] = [];
  const reference = referenceRead(clusterAddOn.effective, isDeploymentConfig);
  const key = reference && objectKey(reference.namespace, reference.name);
  const config = key === undefined ? undefined : inventory.addOnDeploymentConfigs.get(key);
  if (key !== undefined && config !== undefined) {
    for (const { what, path, spec } of configParts(config)) {
      const changed: Admitted<AddOnDeploymentConfigV1alpha1> = {
        ...config,
        object: { ...config.object, spec },
      };
      const addOnDeploymentConfigs = new Map([...inventory.addOnDeploymentConfigs, [key, changed]]);
      const ofAddOn = parameters.get(addOn.name);
      const layers = ofAddOn && layersOfField(ofAddOn, clusterAddOn.cluster, config.object, path);
      const layer = layers && decidingSource(layers)?.layer;
      parts.push({
        what: `${what} of AddOnDeploymentConfig ${key}${layer === undefined ? '' : `, set by ${layerWords(layer)}`}`,
        location: config.origin.locate(path),
        without: { inventory: { ...inventory, addOnDeploymentConfigs } },
      });
    }
  }
  const { cluster, managedClusterAddOn } = clusterAddOn;
  const admitted = inventory.managedClusters.get(cluster);
  const managed = decisions.clusters.get(cluster);
  // A ManagedClusterAddOn that nobody wrote has the cluster's values.
  const read =
    managedClusterAddOn === undefined
      ? [imageRegistriesAnnotation, valuesAnnotation]
      : [imageRegistriesAnnotation];
  for (const annotation of read) {
    if (admitted === undefined || managed?.metadata.annotations?.[annotation] === undefined) continue;
    const changed = withoutAnnotation(managed, annotation);
    parts.push({
      what: `annotation ${annotation} of ManagedCluster ${cluster}`,
      location: admitted.origin.locate(['metadata', 'annotations', annotation]),
      without: {
        decisions: { ...decisions, clusters: new Map([...decisions.clusters, [cluster, changed]]) },
      },
    });
  }
  if (managedClusterAddOn?.object.metadata.annotations?.[valuesAnnotation] !== undefined) {
    const changed = {
      ...managedClusterAddOn,
      object: withoutAnnotation(managedClusterAddOn.object, valuesAnnotation),
    };
    parts.push({
      what: `annotation ${valuesAnnotation} of ManagedClusterAddOn ${objectKey(cluster, addOn.name)}`,
      location: managedClusterAddOn.origin.locate(['metadata', 'annotations', valuesAnnotation]),
      without: { clusterAddOn: { ...clusterAddOn, managedClusterAddOn: changed } },
    });
  }
  return parts;
}

function withoutAnnotation<T extends Pick<KubernetesObject, 'metadata'>>(object: T, annotation: string): T {
  const { [annotation]: _removed, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

type ConfigSpec = AddOnDeploymentConfigV1alpha1['spec'];

/** Returns the spec without each of its entries and fields in turn. */
function configParts({ object: { spec } }: Admitted<AddOnDeploymentConfigV1alpha1>): {
  readonly what: string;
  readonly path: FieldPath;
  readonly spec: ConfigSpec;
}[] {
  const { customizedVariables = [], registries = [], resourceRequirements = [], replicaConfigs = [] } = spec;
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
    ...replicaConfigs.map(({ workloadID }, index) => ({
      what: `replicas of ${workloadID}`,
      path: ['spec', 'replicaConfigs', index],
      spec: { ...spec, replicaConfigs: at(replicaConfigs, index) },
    })),
    ...(['nodePlacement', 'proxyConfig', 'agentInstallNamespace'] as const)
      .filter((field) => spec[field] !== undefined)
      .map((field) => {
        const { [field]: _removed, ...rest } = spec;
        return { what: field, path: ['spec', field], spec: rest };
      }),
  ];
}

/** Returns the object with the manifest, or with the source that renders it. */
function sourcePlace(
  { inventory }: Pick<Resolution, 'inventory'>,
  addOn: string,
  clusterAddOn: ClusterAddOn,
): Decider[] {
  const profile = inventory.managerProfiles?.get(addOn);
  if (profile !== undefined) {
    const { declaration, field } = profile;
    return [{ what: `ManagerProfile ${addOn}`, location: declaration.origin.locate(['spec', field]) }];
  }
  const name = referenceRead(clusterAddOn.effective, isTemplate)?.name;
  const template = name === undefined ? undefined : inventory.addOnTemplates.get(name);
  if (name === undefined || template === undefined) return [];
  const location = template.origin.locate(['spec', 'agentSpec', 'workload', 'manifests']);
  return [{ what: `AddOnTemplate ${name}`, location }];
}
