import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

// The kinds that are not OCM's, that users apply to a hub together with add-ons, and that the hub does not return as written.
const defaulters: Readonly<Record<string, (object: JsonMap) => JsonMap>> = {
  'apiextensions.k8s.io/v1/CustomResourceDefinition': definitionDefaults,
  [`${rbacGroup}/v1/ClusterRoleBinding`]: bindingDefaults,
  [`${rbacGroup}/v1/RoleBinding`]: bindingDefaults,
  'v1/Namespace': ({ spec, ...namespace }) => (isEmptyMap(spec) ? namespace : { ...namespace, spec }),
  // as core SetDefaults_Secret
  'v1/Secret': (secret) => ({ ...secret, type: withoutEmpty(secret['type']) ?? 'Opaque' }),
};

/**
 * Returns an object with the defaults of its kind and without the fields that Go omits, if the kind is not OCM's. A value with an
 * unexpected shape is unchanged.
 */
export function withForeignDefaults(object: JsonMap, apiVersion: string, kind: string): JsonMap {
  return defaulters[`${apiVersion}/${kind}`]?.(object) ?? object;
}

/** As apiextensions SetDefaults_CustomResourceDefinitionSpec. */
function definitionDefaults(definition: JsonMap): JsonMap {
  const { spec } = definition;
  if (!isJsonMap(spec)) return definition;
  const { names, conversion } = spec;
  return {
    ...definition,
    spec: {
      ...spec,
      ...(isJsonMap(names) ? { names: namesDefaults(names) } : {}),
      conversion: conversion ?? { strategy: 'None' },
    },
  };
}

function namesDefaults(names: JsonMap): JsonMap {
  const { kind, singular, listKind } = names;
  if (typeof kind !== 'string') return names;
  return {
    ...names,
    singular: withoutEmpty(singular) ?? kind.toLowerCase(),
    listKind: withoutEmpty(listKind) ?? `${kind}List`,
  };
}

/** As rbac SetDefaults_RoleBinding and SetDefaults_Subject. */
function bindingDefaults(binding: JsonMap): JsonMap {
  const { roleRef, subjects } = binding;
  return {
    ...binding,
    ...(isJsonMap(roleRef)
      ? { roleRef: { ...roleRef, apiGroup: withoutEmpty(roleRef['apiGroup']) ?? rbacGroup } }
      : {}),
    ...(isJsonList(subjects) ? { subjects: subjects.map(subjectDefaults) } : {}),
  };
}

function subjectDefaults(subject: unknown): unknown {
  if (!isJsonMap(subject)) return subject;
  const { apiGroup, ...others } = subject;
  const { kind } = others;
  if (kind === 'User' || kind === 'Group')
    return { ...subject, apiGroup: withoutEmpty(apiGroup) ?? rbacGroup };
  return withoutEmpty(apiGroup) === undefined ? others : subject;
}

function isEmptyMap(value: unknown): boolean {
  return value === undefined || (isJsonMap(value) && Object.keys(value).length === 0);
}

/** Returns undefined for a value that Go treats as absent. */
function withoutEmpty(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}
