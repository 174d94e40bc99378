import { referenceTo, objectKey, type LoadedObject } from '../compiler/model/inventory.ts';
import { diagnostic, type Diagnostic } from '../compiler/model/diagnostic.ts';
import type { FieldPath } from '../compiler/model/field-path.ts';
import { deploymentFields } from '../compiler/parameters/model.ts';
import { parametersApiVersion } from '../compiler/parameters/parameters-schema.ts';
import { isJsonMap, type JsonMap } from '../base/json/json-map.ts';
import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { groupOf } from '../base/names/resource-name.ts';
import { addOnGroup } from '../../schemas/groups.ts';
import { configReferences, withoutReferences, type ConfigLevel } from './constructs/config-levels.ts';
import { proposedParameters, type LevelValues, type Settings } from './proposed-parameters.ts';

/** Objects whose AddOnDeploymentConfigs are parameters. */
export interface AsParameters {
  /** The other objects, without references to the configurations that became parameters. */
  readonly objects: readonly LoadedObject[];
  /** One AddOnParameters per add-on that uses such a configuration. */
  readonly parameters: readonly KubernetesObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Converts the AddOnDeploymentConfigs of add-ons into parameters with layers: what is in all configurations of an add-on is set
 * for all clusters, and the differences for a placement or a cluster. Each cluster gets the same values as before. An add-on
 * stays as it is if parameters cannot express its configurations, which is reported.
 */
export function asParameters(loaded: readonly LoadedObject[]): AsParameters {
  const configs = new Map(
    loaded.filter(isDeploymentConfig).map((config) => [keyOf(config.object), config] as const),
  );
  const changed = new Map<LoadedObject, LoadedObject>();
  const parameters: KubernetesObject[] = [];
  const diagnostics: Diagnostic[] = [];
  const converted = new Set<string>();
  const remaining = new Set<string>();
  for (const addOn of loaded.filter(isAddOn)) {
    const name = addOn.object.metadata.name ?? '';
    const ofClusters = loaded.filter(({ object }) => isClusterAddOn(object) && object.metadata.name === name);
    const levels = configReferences(addOn, ofClusters);
    const used = levels.flatMap(({ references }) => references.map(({ key }) => key));
    if (used.length === 0) continue;
    const values = valuesOf(levels, configs, ofClusters);
    if ('reason' in values) {
      for (const key of used) remaining.add(key);
      diagnostics.push(unsuitable(values, name));
      continue;
    }
    for (const key of used) converted.add(key);
    const [first = ''] = used;
    parameters.push({
      apiVersion: parametersApiVersion,
      kind: 'AddOnParameters',
      metadata: { name, namespace: first.split('/', 1)[0] ?? '' },
      spec: proposedParameters(values),
    });
    for (const holder of [addOn, ...ofClusters]) changed.set(holder, withoutReferences(holder));
  }
  return {
    objects: loaded
      .filter((each) => {
        const key = keyOf(each.object);
        return !isDeploymentConfig(each) || !converted.has(key) || remaining.has(key);
      })
      .map((each) => changed.get(each) ?? each),
    parameters,
    diagnostics,
  };
}

/** Why the configurations of an add-on stay objects, and the object that is the reason. */
interface Unsuitable {
  readonly object: LoadedObject;
  readonly path: FieldPath;
  readonly reason: string;
}

function unsuitable({ object: { object, origin }, path, reason }: Unsuitable, addOn: string): Diagnostic {
  return diagnostic('FW9105', {
    message: `the configurations of add-on "${addOn}" stay AddOnDeploymentConfigs: ${reason}`,
    object: referenceTo(object),
    location: origin.locate(path),
    hint: 'write its parameters yourself, or keep the objects',
  });
}

/** Returns the values of each level of an add-on. */
function valuesOf(
  levels: readonly ConfigLevel[],
  configs: ReadonlyMap<string, LoadedObject>,
  ofClusters: readonly LoadedObject[],
): { readonly levels: readonly LevelValues[]; readonly isComplete: boolean } | Unsuitable {
  const values: LevelValues[] = [];
  for (const { scope, holder, path, references } of levels) {
    const [reference, second] = references;
    if (second !== undefined)
      return { object: holder, path, reason: 'several are listed, and the hub uses only the first one' };
    if (reference === undefined) {
      values.push({ scope, settings: undefined });
      continue;
    }
    const config = configs.get(reference.key);
    if (config === undefined) return { object: holder, path, reason: `${reference.key} is not in the input` };
    const settings = settingsOf(config);
    if ('reason' in settings) return settings;
    values.push({ scope, settings });
  }
  const named = new Set(levels.flatMap(({ scope }) => (scope.kind === 'cluster' ? [scope.cluster] : [])));
  const hasOthers = ofClusters.some(({ object }) => !named.has(object.metadata.namespace ?? ''));
  return { levels: values, isComplete: !hasOthers };
}

/** Returns the variables and fields of a configuration. */
function settingsOf(config: LoadedObject): Settings | Unsuitable {
  const { customizedVariables = [], ...fields } = (config.object['spec'] ?? {}) as JsonMap & {
    readonly customizedVariables?: readonly { readonly name: string; readonly value?: string }[];
  };
  const unknown = Object.keys(fields).find((field) => !deploymentFields.some((each) => each === field));
  if (unknown !== undefined)
    return { object: config, path: ['spec', unknown], reason: `no parameter sets ${unknown}` };
  const variables = new Map<string, string>();
  for (const [index, { name, value = '' }] of customizedVariables.entries()) {
    if (variables.has(name))
      return {
        object: config,
        path: ['spec', 'customizedVariables', index],
        reason: `variable ${name} is listed twice`,
      };
    variables.set(name, value);
  }
  return { variables, fields: new Map(Object.entries(fields)) };
}

function isAddOn({ object }: LoadedObject): boolean {
  return object.kind === 'ClusterManagementAddOn' && groupOf(object.apiVersion) === addOnGroup;
}

function isClusterAddOn(object: KubernetesObject): boolean {
  return object.kind === 'ManagedClusterAddOn' && groupOf(object.apiVersion) === addOnGroup;
}

function isDeploymentConfig({ object }: LoadedObject): boolean {
  return (
    object.kind === 'AddOnDeploymentConfig' &&
    groupOf(object.apiVersion) === addOnGroup &&
    isJsonMap(object['spec'] ?? {})
  );
}

function keyOf({ metadata }: KubernetesObject): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}
