import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import { isGoJsonObject, type GoJsonObject } from '../go-json.ts';
import { parseGoJson } from '../parse-go-json.ts';
import { groupVersionKind } from './object-identity.ts';
import { decorateNamespace } from './namespace-decoration.ts';
import { proxyConfigMap, proxyDecoration } from './proxy.ts';
import { registrationVolumes } from './registration-volumes.ts';
import type { Failure } from './failure.ts';
import { readSettings, type Settings } from './settings.ts';
import { cutManifest, substitute, type ManifestText } from './substitution.ts';
import { convertTyped } from './typed-conversion.ts';
import { variablesFor, type Variables } from './variables.ts';
import { decorateWorkload, type WorkloadDecoration, type WorkloadResource } from './workload-decoration.ts';

/** One object of a work. */
export interface RenderedObject {
  readonly object: GoJsonObject;
  /** For Deployments and DaemonSets that Go can read: these the hub decorates and watches. */
  readonly workload?: WorkloadResource;
  /** The position of the manifest in the template; absent for objects that the hub adds. */
  readonly manifest?: number;
}

/** The objects of an add-on for one cluster in the hub's order, or what stopped the hub. */
export type RenderedManifests = { readonly objects: readonly RenderedObject[] } | Failure;

/** A manifest between substitution and decoration. */
type Prepared = RenderedObject | Failure;

/** A template with one configuration, for any number of clusters. */
export interface ManifestRenderer {
  /** The hub's reading of configuration and annotation; a failure fails the render on every cluster. */
  readonly settings: Settings | Failure;
  readonly texts: readonly ManifestText[];
  variables(cluster: string): Variables | undefined;
  render(cluster: string): RenderedManifests;
}

/**
 * Renders a template as OCM's templateagent does. Manifests without the cluster's name in them are prepared once for all
 * clusters.
 *
 * @param annotation the cluster's image registries, as the annotation's text
 */
export function manifestRenderer(
  addOn: string,
  template: AddOnTemplateV1alpha1,
  config: AddOnDeploymentConfigV1alpha1 | undefined,
  annotation: string | undefined,
): ManifestRenderer {
  const settings = readSettings(config, annotation);
  const texts = (template.spec.agentSpec.workload?.manifests ?? []).map(cutManifest);
  const variables = (cluster: string): Variables | undefined =>
    'error' in settings ? undefined : variablesFor(cluster, template, config, settings);
  if ('error' in settings) return { settings, texts, variables, render: () => settings };

  const decoration = workloadDecoration(addOn, template, settings);
  const added = proxyConfigMap(addOn, settings.proxy);
  const prepared = new Map<ManifestText, Prepared>();

  function prepareOnce(text: ManifestText, values: ReadonlyMap<string, string>): Prepared {
    if (text.tags.includes('CLUSTER_NAME')) return prepare(text, values);
    const known = prepared.get(text) ?? prepare(text, values);
    prepared.set(text, known);
    return known;
  }

  function render(cluster: string): RenderedManifests {
    const { values, preset } = variablesFor(cluster, template, config, settings as Settings);
    const environment = preset.map((name) => ({ name, value: values.get(name) ?? '' }));
    const objects: RenderedObject[] = [];
    for (const [manifest, text] of texts.entries()) {
      const ready = prepareOnce(text, values);
      const path = ['spec', 'agentSpec', 'workload', 'manifests', manifest];
      if ('error' in ready) return { ...ready, path };
      const { object, workload } = ready;
      if (workload !== undefined && 'error' in decoration) return decoration;
      const decorated =
        workload === undefined || 'error' in decoration
          ? object
          : decorateWorkload(object, workload, {
              ...decoration,
              environment: [...environment, ...decoration.environment],
            });
      const moved = decorateNamespace(decorated, installNamespace);
      if ('error' in moved) return { ...moved, path };
      objects.push({ ...moved, manifest, ...(workload === undefined ? {} : { workload }) });
    }
    if (added !== undefined) {
      const moved = decorateNamespace(added, installNamespace);
      if ('error' in moved) return moved;
      objects.push(moved);
    }
    return { objects };
  }

  const { installNamespace } = settings;
  return { settings, texts, variables, render };
}

function prepare(text: ManifestText, values: ReadonlyMap<string, string>): Prepared {
  if (text.unclosed !== undefined) return { error: `Cannot find end tag="}}"`, code: 'FW6002' };
  const substituted = substitute(text, values);
  const parsed = parseGoJson(substituted);
  if ('error' in parsed) return { error: parsed.error, code: 'FW6001' };
  const object = parsed.value;
  if (!isGoJsonObject(object) || groupVersionKind(object).kind === '') {
    return { error: `Object 'Kind' is missing in '${substituted}'`, code: 'FW6001' };
  }
  return convertWorkload(object) ?? { object };
}

const workloads: Readonly<Record<string, WorkloadResource>> = {
  Deployment: 'deployments',
  DaemonSet: 'daemonsets',
};

/** A Deployment or DaemonSet that has been through its Go struct; undefined for everything else, without complaint. */
export function convertWorkload(object: GoJsonObject): RenderedObject | undefined {
  const { group, kind } = groupVersionKind(object);
  const workload = group === 'apps' && Object.hasOwn(workloads, kind) ? workloads[kind] : undefined;
  if (workload === undefined) return undefined;
  const converted = convertTyped(kind, object);
  return isGoJsonObject(converted) ? { object: converted, workload } : undefined;
}

/** What every workload gets on every cluster, before its preset variables. Failures come in the hub's order. */
function workloadDecoration(
  addOn: string,
  template: AddOnTemplateV1alpha1,
  { nodePlacement, registries = [], proxy, resources = [] }: Settings,
): WorkloadDecoration | Failure {
  const registered = registrationVolumes(addOn, template);
  if ('error' in registered) return registered;
  if (nodePlacement !== undefined && 'error' in nodePlacement) return nodePlacement;
  if ('error' in registries) return registries;
  if ('error' in resources) return resources;
  const proxied = proxyDecoration(addOn, proxy);
  return {
    environment: proxied.environment,
    mounts: [...registered.mounts, ...proxied.mounts],
    volumes: [...registered.volumes, ...proxied.volumes],
    ...(nodePlacement === undefined ? {} : { nodePlacement }),
    registries,
    resources,
  };
}
