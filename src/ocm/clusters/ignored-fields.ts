/** An entry of `ignoreFields` of a ServerSideApply strategy. */
export interface IgnoredFields {
  readonly condition?: string;
  readonly jsonPaths?: readonly string[];
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
}

/** The lists of an entry, each with its own syntax. */
export type IgnoredFieldList = 'jsonPaths' | 'jsonPointers' | 'jqPathExpressions';

/** Returns the fields that the agent leaves out while the object exists, as paths of names. */
export function ignoredSteps({ condition, ...lists }: IgnoredFields): readonly (readonly string[])[] {
  // with this condition, no field is left out, and the agent applies the manifest only if it has changed
  if (condition === 'OnSpokeChange') return [];
  return (['jsonPaths', 'jsonPointers', 'jqPathExpressions'] as const).flatMap((list) =>
    (lists[list] ?? []).flatMap((path) => {
      const steps = pathSteps(list, path);
      return steps === 'unknown' || steps === 'nothing' ? [] : [steps];
    }),
  );
}

/**
 * Returns the names of the fields on the way to what a path ignores.
 *
 * @returns `nothing` if the agent removes nothing whatever the manifest has, and `unknown` if the path has other steps than names
 */
export function pathSteps(list: IgnoredFieldList, path: string): readonly string[] | 'nothing' | 'unknown' {
  if (list === 'jsonPaths') return jsonPathSteps(path);
  if (list === 'jsonPointers') return pointerSteps(path);
  return /^(\.[A-Za-z_]\w*)+$/.test(path) ? path.split('.').slice(1) : 'unknown';
}

/** As removeFieldByJSONPath, which removes the name after the last dot from all maps that the path before it finds. */
function jsonPathSteps(path: string): readonly string[] | 'nothing' | 'unknown' {
  const dot = path.lastIndexOf('.');
  const [holder, name] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
  // the items of lists, and keys with dots, are no names
  if (dot < 0 || !/^[\w-]+$/.test(name)) return 'nothing';
  if (holder !== '' && !/^[.$@[]/.test(holder)) return 'nothing';
  const steps = holder.replace(/^[$@]/, '');
  if (!/^(\.[\w-]+)*$/.test(steps)) return 'unknown';
  return [...steps.split('.').slice(1), name];
}

/** As RFC 6901, and findObject of json-patch, which ignores what is before the first slash. */
function pointerSteps(pointer: string): readonly string[] | 'nothing' {
  if (!pointer.startsWith('/')) return 'nothing';
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
