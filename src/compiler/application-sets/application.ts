import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { fieldAt, textAt } from '../api/placement-references.ts';
import { localName, localServer, nameOfServer, type ArgoCdClusters } from './argo-cd-clusters.ts';

/** An Application that Argo CD generates. */
export interface GeneratedApplication {
  /** In the namespace of the ApplicationSet. */
  readonly name: string;
  /** Its labels, annotations and finalizers, and its spec. */
  readonly object: ApplicationObject;
  /** The cluster that it deploys to: the name that Argo CD has for it. Absent if the inputs do not have the cluster. */
  readonly cluster?: string;
}

/** The parts of an Application that an ApplicationSet decides. */
export interface ApplicationObject {
  readonly metadata: JsonMap;
  readonly spec: JsonMap;
}

/** The finalizer with which Argo CD deletes what an Application deployed, in the foreground or, with a suffix, otherwise. */
export const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';

/** The prefixes of the label and the annotation of the pull model: of multicloud-integrations, and of argocd-pull-integration. */
const pullPrefixes = ['apps.open-cluster-management.io', 'argocd.argoproj.io'];

/** Go's `strconv.ParseBool`. */
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Whether Argo CD deletes what an Application deployed when the Application is deleted. */
export function deletesResources({ metadata }: ApplicationObject): boolean {
  const finalizers = metadata['finalizers'];
  return (
    isJsonList(finalizers) &&
    finalizers.some(
      (finalizer) =>
        typeof finalizer === 'string' &&
        (finalizer === resourcesFinalizer || finalizer.startsWith(`${resourcesFinalizer}/`)),
    )
  );
}

/** Why Argo CD does not deploy an Application. */
export type InvalidDestination = 'no destination' | 'two destinations' | 'unknown cluster';

/** Where an Application deploys to, as it is written. */
export interface WrittenDestination {
  readonly name?: string;
  readonly server?: string;
  /**
   * The cluster that an annotation names. In OCM's pull model, the hub's Argo CD does not deploy the Application: it is in a
   * ManifestWork for this cluster.
   */
  readonly pulledBy?: string;
}

/** Returns where an Application deploys to. */
export function writtenDestination({ metadata, spec }: ApplicationObject): WrittenDestination {
  const [name, server] = [textAt(spec, ['destination', 'name']), textAt(spec, ['destination', 'server'])];
  const prefix = pullPrefixes.find((each) => isPulled(metadata, each));
  const pulledBy = prefix && textAt(metadata, ['annotations', `${prefix}/ocm-managed-cluster`]);
  return {
    ...(name !== undefined && { name }),
    ...(server !== undefined && { server }),
    ...(pulledBy !== undefined && { pulledBy }),
  };
}

/** Returns the cluster that an Application deploys to. */
export function destinationOf(
  { name, server, pulledBy }: WrittenDestination,
  clusters: ArgoCdClusters,
): { readonly cluster: string } | { readonly invalid: InvalidDestination } {
  if (name !== undefined && server !== undefined) return { invalid: 'two destinations' };
  if (name === undefined && server === undefined) return { invalid: 'no destination' };
  const deploying =
    name === undefined ? nameOfServer(server ?? '', clusters) : clusters.byName.get(name)?.name;
  const isLocal = name === localName || server === localServer;
  const cluster = deploying ?? (isLocal ? localName : undefined);
  return cluster === undefined ? { invalid: 'unknown cluster' } : { cluster: pulledBy ?? cluster };
}

/** Whether multicloud-integrations delivers an Application to the cluster in a ManifestWork. */
function isPulled(metadata: JsonMap, prefix: string): boolean {
  const label = fieldAt(metadata, ['labels', `${prefix}/pull-to-ocm-managed-cluster`]);
  return typeof label === 'string' && trueTexts.has(label);
}

/** Returns the spec as Argo CD stores it: without empty parts of sources and an empty `syncPolicy`. */
export function normalizedSpec(spec: JsonMap): JsonMap {
  return isNormalized(spec) ? spec : withoutEmptyParts(spec);
}

/** Most specs are as Argo CD stores them, so that they are not copied. */
function isNormalized({ syncPolicy, source, sources }: JsonMap): boolean {
  const hasPolicy =
    syncPolicy === undefined || (isJsonMap(syncPolicy) && Object.values(syncPolicy).some(isUsed));
  const isWhole = source === undefined || !isJsonMap(source) || !emptiedParts.some((part) => part in source);
  return hasPolicy && isWhole && sources === undefined;
}

const emptiedParts = ['directory', 'helm', 'kustomize'];

function withoutEmptyParts(spec: JsonMap): JsonMap {
  const { syncPolicy, source, sources, ...others } = spec;
  const list = isJsonList(sources) && sources.length > 0 ? sources.map(normalizedSource) : undefined;
  return {
    ...others,
    ...(isJsonMap(syncPolicy) && Object.values(syncPolicy).some(isUsed) && { syncPolicy }),
    ...(source !== undefined && { source: list === undefined ? normalizedSource(source) : source }),
    ...(list && { sources: list }),
  };
}

function normalizedSource(source: unknown): unknown {
  if (!isJsonMap(source)) return source;
  return Object.fromEntries(
    Object.entries(source).filter(
      ([key, value]) =>
        !emptiedParts.includes(key) || (isJsonMap(value) && Object.values(value).some(isUsed)),
    ),
  );
}

/** Whether a value is not the zero value of a Go type. A map is: it is a pointer. */
function isUsed(value: unknown): boolean {
  if (isJsonList(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}
