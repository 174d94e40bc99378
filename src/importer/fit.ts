import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { convertAddOn } from '../compiler/admit/conversion/convert.ts';
import { withoutServerFields } from '../compiler/hub-metadata.ts';
import type { FieldPath } from '../compiler/model/field-path.ts';
import { changesBetween, fieldOf, patchStatements } from './changes.ts';
import type { Statement } from './code/expression.ts';
import { admitSynthesized, storedForm, type Rendering } from './synthesizer.ts';

/** Why a construct cannot represent the object: the field that prevents it; an empty path means the object itself. */
export interface Obstacle {
  readonly path: FieldPath;
  /** The problem with the field, as the end of a sentence that begins with the field. */
  readonly reason: string;
}

/** The object that the statements must create. */
interface Goal {
  /** The form that the user wrote. */
  readonly raw: KubernetesObject;
  /** The form that the hub stores. */
  readonly stored: KubernetesObject;
}

/**
 * Returns the statements that create exactly the object: those passed in, and a JSON patch for each field in which their construct
 * differs. Returns an obstacle if these do not create it either.
 *
 * @param variable - holds the construct after the statements
 */
export function fit(
  statements: readonly Statement[],
  variable: string,
  { raw, stored }: Goal,
  run: (statements: readonly Statement[]) => Rendering,
): readonly Statement[] | Obstacle {
  const expected = storedForm(stored);
  const isStored = (rendering: Rendering): boolean => {
    const admitted = 'object' in rendering ? admitSynthesized(rendering.object) : undefined;
    return admitted !== undefined && storedForm(admitted) === expected;
  };
  const key = prototypeKey(stored, []);
  if (key !== undefined) return { path: key, reason: 'is not a key that a construct can render' };
  const creation = firstThatRenders(statements, variable, run);
  if ('error' in creation) return { path: [], reason: `cannot be created: ${creation.error}` };
  const { created } = creation;
  let rendering: Rendering = creation;
  if (isStored(rendering)) return created;
  const { object } = creation;
  const forms = {
    rendered: withoutServerFields(object),
    completed: withoutServerFields(admitSynthesized(object) ?? object),
    required: withoutServerFields(inVersion(stored, object.apiVersion)),
  };
  const changes = changesBetween({ ...forms, source: raw });
  const identity = changes.find(({ path }) => isIdentity(path));
  if (identity !== undefined) return { path: identity.path, reason: 'is different in the construct' };
  // with the values from the source, otherwise as the API server completes them
  for (const source of [raw, undefined]) {
    const patched = [...created, ...patchStatements(variable, changesBetween({ ...forms, source }))];
    if (patched.length > created.length) rendering = run(patched);
    if (isStored(rendering)) return patched;
  }
  const [change] = changes;
  if ('error' in rendering)
    return { path: change?.path ?? [], reason: `cannot be patched: ${rendering.error}` };
  return remainingObstacle(rendering.object, stored);
}

/** Returns the statements. If the construct throws because of a prop, returns them without that prop, which can be patched in. */
function firstThatRenders(
  statements: readonly Statement[],
  variable: string,
  run: (statements: readonly Statement[]) => Rendering,
):
  { readonly object: KubernetesObject; readonly created: readonly Statement[] } | { readonly error: string } {
  const rendering = run(statements);
  if ('object' in rendering) return { ...rendering, created: statements };
  for (const fewer of withOnePropLess(statements, variable)) {
    const retried = run(fewer);
    if ('object' in retried) return { ...retried, created: fewer };
  }
  return rendering;
}

function withOnePropLess(statements: readonly Statement[], variable: string): readonly Statement[][] {
  const value = statements.find(({ name }) => name === variable)?.value;
  if (value?.type !== 'new' && value?.type !== 'call') return [];
  const props = value.arguments.at(-1);
  if (props?.type !== 'object') return [];
  return props.properties.map((omitted) => {
    const properties = props.properties.filter((property) => property !== omitted);
    const fewer = [...value.arguments.slice(0, -1), { ...props, properties }];
    return statements.map((statement) =>
      statement.name === variable ? { ...statement, value: { ...value, arguments: fewer } } : statement,
    );
  });
}

/** Returns the first field that still differs after all patches. */
function remainingObstacle(rendered: KubernetesObject, stored: KubernetesObject): Obstacle {
  const fieldIn = (apiVersion: string): FieldPath | undefined => {
    const [actual, required] = [admitSynthesized(rendered) ?? rendered, stored].map((object) =>
      withoutServerFields(inVersion(object, apiVersion)),
    );
    return changesBetween({ rendered: actual, completed: actual, required, source: undefined })[0]?.path;
  };
  const { apiVersion } = rendered;
  const path = fieldIn(apiVersion);
  if (path !== undefined) return { path, reason: 'cannot be patched' };
  return {
    path: fieldIn(stored.apiVersion) ?? [],
    reason: `is not in ${apiVersion}, in which the construct writes it`,
  };
}

function inVersion(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return convertAddOn(object, apiVersion.endsWith('/v1beta1') ? 'v1beta1' : 'v1alpha1');
}

/** Returns the field named `__proto__`. JavaScript does not treat it as a field: cdk8s loses it, and JSON patches reject it. */
function prototypeKey(value: unknown, path: FieldPath): FieldPath | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return [...path, '__proto__'];
  const steps = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const step of steps) {
    const key = prototypeKey(fieldOf(value, step), [...path, step]);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Whether the field identifies the object. */
function isIdentity([first, second]: FieldPath): boolean {
  return (
    first === 'apiVersion' ||
    first === 'kind' ||
    (first === 'metadata' && (second === undefined || second === 'name' || second === 'namespace'))
  );
}
