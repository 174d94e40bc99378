import { groupOf } from '../../../src/base/names/resource-name.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { UnservedKind } from '../../hub/client/api-client.ts';
import { applyDefinitions, type EngineHub } from './hub.ts';

/** Has the hub serve kinds of other projects, whatever their fields, and makes the namespaces that nothing brings. */
export async function serveForeignKinds(hub: EngineHub, objects: readonly KubernetesObject[]): Promise<void> {
  const definitions = new Map<string, KubernetesObject>();
  for (const { apiVersion, kind, metadata } of objects) {
    if (definitions.has(`${apiVersion}/${kind}`) || isBrought(objects, apiVersion, kind)) continue;
    if (!(await isServed(hub, apiVersion, kind)))
      definitions.set(
        `${apiVersion}/${kind}`,
        definition(apiVersion, kind, metadata.namespace !== undefined),
      );
  }
  await applyDefinitions(hub, [...definitions.values()]);
  const isBroughtByApp = new Set(
    objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name),
  );
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const name of namespaces)
    if (!isBroughtByApp.has(name))
      await hub.client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function isServed(hub: EngineHub, apiVersion: string, kind: string): Promise<boolean> {
  try {
    await hub.client.list(apiVersion, kind);
    return true;
  } catch (error) {
    if (error instanceof UnservedKind) return false;
    throw error;
  }
}

function isBrought(objects: readonly KubernetesObject[], apiVersion: string, kind: string): boolean {
  return objects.some((object) => {
    if (object.kind !== 'CustomResourceDefinition') return false;
    const { group, names } = object['spec'] as {
      readonly group: string;
      readonly names: { readonly kind: string };
    };
    return group === groupOf(apiVersion) && names.kind === kind;
  });
}

function definition(apiVersion: string, kind: string, isNamespaced: boolean): KubernetesObject {
  const group = groupOf(apiVersion);
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular },
      versions: [
        {
          name: apiVersion.split('/').at(-1),
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}
