import type { KubernetesObject } from '../../schemas/object-meta.ts';
import type { FieldPath } from '../field-path.ts';
import { apiObject } from './api-object.ts';
import type { Context } from './context.ts';
import type { Expression, Item, Property, Statement } from './expression.ts';
import { Ids, kebab } from './names.ts';
import { plusObject } from './plus-object.ts';

const scope = 'scope';

/** The namespace that most of the objects name, the first of several. */
export function workloadNamespace(manifests: readonly KubernetesObject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { metadata } of manifests) {
    const { namespace } = metadata;
    if (namespace !== undefined && !namespace.includes('{{'))
      counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  let most: string | undefined;
  for (const [namespace, count] of counts) if (count > (counts.get(most ?? '') ?? 0)) most = namespace;
  return most;
}

/**
 * The function that creates the objects of a workload: with cdk8s-plus where that gives the same manifest, else as
 * ApiObjects. Undefined where an object cannot be created so.
 */
export function workload(
  manifests: readonly KubernetesObject[],
  path: FieldPath,
  namespace: string | undefined,
  text: ((value: string) => Expression) | undefined,
  context: Context,
): Expression | undefined {
  const ids = new Ids();
  const body: Statement[] = [];
  for (const [index, manifest] of manifests.entries()) {
    const { kind, metadata } = manifest;
    const id = ids.take([kebab(kind), `${kebab(kind)}-${metadata?.name ?? index}`]);
    const as = (scopeNamespace: string | undefined): Expression =>
      apiObject(manifest, scope, id, scopeNamespace, text);
    const candidates = [...plusObject(manifest, scope, id, namespace, text), as(undefined), as(namespace)];
    // what names its namespace never has to say that it has none
    const value = context.manifest(
      manifest,
      namespace,
      metadata?.namespace === undefined ? candidates : [...candidates.slice(0, -2), as(namespace)],
    );
    if (value === undefined) return undefined;
    body.push({ value: below(value, [...path, index]), path: [...path, index] });
  }
  return { type: 'function', parameter: scope, body };
}

/** Puts the paths of an expression below another. */
function below(expression: Expression, path: FieldPath): Expression {
  switch (expression.type) {
    case 'object':
      return {
        ...expression,
        properties: expression.properties.map((property): Property => moved(property, path)),
      };
    case 'list':
      return { ...expression, items: expression.items.map((item): Item => moved(item, path)) };
    case 'new':
    case 'call':
      return { ...expression, arguments: expression.arguments.map((argument) => below(argument, path)) };
    case 'literal':
    case 'name':
    case 'member':
    case 'template':
    case 'function':
      break;
  }
  return expression;
}

function moved<T extends Item>(part: T, path: FieldPath): T {
  return { ...part, value: below(part.value, path), ...(part.path && { path: [...path, ...part.path] }) };
}
