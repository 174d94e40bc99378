import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { isJsonMap } from '../base/json/json-map.ts';
import type { FieldPath } from '../compiler/model/field-path.ts';
import { apiObject } from './constructs/api-object.ts';
import { changesBetween } from './changes.ts';
import type { Context, WorkloadOwner } from './context.ts';
import { literal, member, name, type Expression, type Statement } from './code/expression.ts';
import { withParts } from './code/expression-parts.ts';
import type { Obstacle } from './fit.ts';
import { Ids, kebab, VariableNames } from './code/names.ts';
import { renderable } from './nulls.ts';
import { plusConstruct } from './plus/construct.ts';
import { isTyped, typedObject } from './plus/typed-object.ts';
import type { WorkloadScope } from './plus/workload-scope.ts';
import { WorkloadEntries, type Entry } from './workload-entries.ts';

/** Returns the namespace of most objects; the first of several. */
export function workloadNamespace(manifests: readonly KubernetesObject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { metadata } of manifests) {
    const { namespace } = metadata;
    if (namespace !== undefined && !namespace.includes('{{'))
      counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  let mostFrequent: string | undefined;
  for (const [namespace, count] of counts)
    if (count > (counts.get(mostFrequent ?? '') ?? 0)) mostFrequent = namespace;
  return mostFrequent;
}

/**
 * Writes the function that creates the objects of a workload: with the constructs of cdk8s-plus if they render the same manifest,
 * otherwise with its classes that only type a manifest, otherwise as ApiObjects. If none of these renders the same manifest, the
 * closest one is used and the template patches it. Returns an obstacle if an object cannot be created at all.
 */
export function workload(
  manifests: readonly KubernetesObject[],
  path: FieldPath,
  owner: WorkloadOwner,
  text: (value: string) => Expression,
  context: Context,
): Expression | Obstacle {
  const entries = new WorkloadEntries();
  const variables = new VariableNames();
  variables.reserve(['kplus', 'scope']);
  const ids = new Ids();
  // all of them first, because selectors are derived from the ids of objects; nothing is derived from the ids of volumes
  const named = manifests.map((manifest, index) => ({ manifest, id: idOf(manifest, index, ids) }));
  for (const [index, { manifest, id }] of named.entries()) {
    const accepted = writeManifest(manifest, id, { owner, text, context, entries, ids, variables });
    if ('reason' in accepted) return { path: [...path, index, ...accepted.path], reason: accepted.reason };
    const statements = accepted.statements.map((statement) => ({
      ...statement,
      value: below(statement.value, [...path, index]),
    }));
    // comments of the object are also placed above the statements that it needs
    const [first, ...others] = statements;
    if (first !== undefined)
      entries.add({ ...accepted, statements: [{ ...first, path: [...path, index] }, ...others] });
    context.reportManifest();
  }
  return { type: 'function', parameter: 'scope', body: entries.body() };
}

function idOf({ kind, metadata }: KubernetesObject, index: number, ids: Ids): string {
  const objectName = metadata.name ?? '';
  const word = kebab(kind);
  const canBeId = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(objectName);
  return canBeId
    ? ids.take([objectName, `${objectName}-${word}`])
    : ids.take([word, `${word}-${objectName === '' ? index : objectName}`]);
}

interface WorkloadContext {
  readonly owner: WorkloadOwner;
  readonly text: (value: string) => Expression;
  readonly context: Context;
  readonly entries: WorkloadEntries;
  readonly ids: Ids;
  readonly variables: VariableNames;
}

function writeManifest(
  original: KubernetesObject,
  id: string,
  workloadContext: WorkloadContext,
): Entry | Obstacle {
  const { owner, text, context, entries } = workloadContext;
  // the template patches in the fields that are left out here, because it renders no nulls
  const manifest = withoutEmptyStatus(renderable(original));
  const variable = workloadContext.variables.fork().take([id, `${id}-${kebab(manifest.kind)}`]);
  const as = (scopeNamespace: string | undefined): Expression =>
    apiObject(manifest, 'scope', id, scopeNamespace, { text });
  const writers: readonly ((scope: ScopeOfObject) => Expression | undefined)[] = [
    (scope) => plusConstruct(manifest, scope),
    (scope) => typedObject(manifest, scope),
    // an object with a namespace never has to override the default
    ...(manifest.metadata.namespace === undefined ? [() => as(undefined)] : []),
    () => as(owner.namespace),
  ];
  let reason = 'cannot be created';
  let closest:
    { readonly entry: Entry; readonly scope: ScopeOfObject; readonly distance: number } | undefined;
  for (const [index, write] of writers.entries()) {
    const scope = new ScopeOfObject(id, variable, workloadContext);
    const value = write(scope);
    if (value === undefined) continue;
    const statements: Statement[] = [...scope.defined, { name: variable, value }];
    const rendering = context.renderManifest(entries.neededBy(statements), statements, owner);
    if ('error' in rendering) {
      reason = `cannot be created: ${rendering.error}`;
      continue;
    }
    const { object } = rendering;
    const changes = changesBetween({
      rendered: object,
      completed: object,
      required: manifest,
      source: manifest,
    });
    const entry = { manifest, statements, variable, isConstruct: index === 0 };
    if (closest === undefined || changes.length < closest.distance)
      closest = { entry, scope, distance: changes.length };
    if (changes.length === 0) break;
  }
  if (closest === undefined) return { path: [], reason };
  const { entry, scope } = closest;
  workloadContext.variables.reserve([variable, ...scope.defined.map((statement) => statement.name ?? '')]);
  for (const usedId of scope.takenIds) workloadContext.ids.take([usedId]);
  return entry;
}

/** Returns the object without an empty status, which kubectl prints and no class of cdk8s-plus has. */
function withoutEmptyStatus(manifest: KubernetesObject): KubernetesObject {
  const { status, ...rest } = manifest;
  const isEmpty = isJsonMap(status) && Object.keys(status).length === 0;
  return isEmpty && isTyped(manifest)
    ? { ...rest, apiVersion: rest.apiVersion, kind: rest.kind, metadata: rest.metadata }
    : manifest;
}

/** The scope of one candidate. The names that the candidate uses are reserved only when it is accepted. */
class ScopeOfObject implements WorkloadScope {
  readonly variable = 'scope';
  readonly namespace: string;
  readonly defined: Statement[] = [];
  readonly takenIds: string[] = [];
  readonly id: string;
  readonly defaultName: string;
  readonly #workloadContext: WorkloadContext;
  readonly #ids: Ids;
  readonly #variables: VariableNames;

  constructor(id: string, variable: string, around: WorkloadContext) {
    this.id = id;
    this.defaultName = id;
    this.#workloadContext = around;
    this.namespace = around.owner.namespace;
    this.#ids = around.ids.fork();
    this.#variables = around.variables.fork();
    this.#variables.reserve([variable]);
  }

  text(value: string): Expression {
    return this.#workloadContext.text(value);
  }

  nameOf(kind: string, namespace: string | undefined, objectName: string): Expression | undefined {
    const entry = this.#workloadContext.entries.find(kind, namespace, objectName);
    return entry && member(entry.variable, 'name');
  }

  construct(kind: string, namespace: string | undefined, objectName: string): Expression | undefined {
    const entry = this.#workloadContext.entries.find(kind, namespace, objectName);
    return entry?.isConstruct === true ? name(entry.variable) : undefined;
  }

  podsWith(labels: Readonly<Record<string, string>>): Expression | undefined {
    const entry = this.#workloadContext.entries.podsWith(labels);
    return entry && name(entry.variable);
  }

  takeId(...candidates: readonly [string, ...string[]]): Expression {
    const id = this.#ids.take(candidates);
    this.takenIds.push(id);
    return literal(id);
  }

  define(preferredName: string, value: Expression): Expression {
    const variable = this.#variables.take([preferredName]);
    this.defined.push({ name: variable, value });
    return name(variable);
  }
}

/** Returns an expression with its paths below another path. */
function below(expression: Expression, path: FieldPath): Expression {
  return withParts(expression, (part) => ({
    ...part,
    value: below(part.value, path),
    ...(part.path && { path: [...path, ...part.path] }),
  }));
}
