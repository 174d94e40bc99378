import { groupBy } from '../base/collections/groups.ts';
import { isJsonMap } from '../base/json/json-map.ts';
import { admitObject } from '../compiler/admit/admit-object.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../compiler/model/diagnostic.ts';
import { objectKey, referenceTo, type LoadedObject } from '../compiler/model/inventory.ts';
import { counted } from '../compiler/model/words.ts';
import { withConfigNames } from '../compiler/revisions/config-references.ts';
import { configKey, isRevisionName } from '../compiler/revisions/name-by-content.ts';
import { withAnnotations } from '../ocm/annotations.ts';
import { immutableAnnotation, revisionOfAnnotation } from '../ocm/fleetwright-annotations.ts';
import { revisionName } from '../ocm/revision-name.ts';

/** The name that `synth` gave to an object by its content. */
interface Revision {
  readonly loaded: LoadedObject;
  readonly key: string;
  readonly name: string;
  /** The name without the hash. */
  readonly written: string;
}

/** Which revision of a set becomes the immutable object, or why none does. */
type Choice = { readonly current: Revision } | { readonly obstacle: string };

/**
 * Gives objects that `synth` named by their content the name back that the user wrote, and the annotation `fleetwright.dev/immutable`.
 * References in the input follow. Of several revisions, the one in use becomes the object, and the others are left out. The next
 * `synth` gives the object the same name again, so clusters see no change.
 */
export function withoutRevisions(loaded: readonly LoadedObject[]): Outcome<readonly LoadedObject[]> {
  const sets = groupBy(loaded.flatMap(revisionIn), ({ loaded: { object }, written }) =>
    JSON.stringify([object.kind, object.metadata.namespace, written]),
  );
  if (sets.size === 0) return { value: loaded, diagnostics: [] };
  const used = usedKeys(loaded);
  const existing = new Set(loaded.flatMap((each) => configKey(each) ?? []));
  const names = new Map<string, string>();
  const changed = new Map<LoadedObject, LoadedObject | undefined>();
  const diagnostics: Diagnostic[] = [];
  for (const revisions of sets.values()) {
    const choice = choose(revisions, used, existing);
    if ('obstacle' in choice) {
      diagnostics.push(kept(revisions, choice.obstacle));
      continue;
    }
    const { current } = choice;
    for (const { loaded: each } of revisions) changed.set(each, undefined);
    changed.set(current.loaded, withWrittenName(current));
    names.set(current.key, current.written);
    diagnostics.push(renamed(current, revisions));
  }
  const value = loaded.flatMap((each): readonly LoadedObject[] => {
    if (changed.has(each)) return [changed.get(each) ?? []].flat();
    if (each.source !== 'app') return [each];
    const object = withConfigNames(each.object, ({ key }) => names.get(key));
    return [object === each.object ? each : { ...each, object }];
  });
  return { value, diagnostics };
}

/** Returns an object as a revision. Empty if it has no name by its content. */
function revisionIn(loaded: LoadedObject): readonly Revision[] {
  const key = configKey(loaded);
  const { name, annotations } = loaded.object.metadata ?? {};
  const written: unknown = isJsonMap(annotations) ? annotations[revisionOfAnnotation] : undefined;
  if (key === undefined || name === undefined || typeof written !== 'string') return [];
  return loaded.source === 'app' && isRevisionName(name, written) ? [{ loaded, key, name, written }] : [];
}

function usedKeys(loaded: readonly LoadedObject[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { object } of loaded)
    withConfigNames(object, ({ key }) => {
      used.add(key);
      return undefined;
    });
  return used;
}

function choose(
  revisions: readonly Revision[],
  used: ReadonlySet<string>,
  existing: ReadonlySet<string>,
): Choice {
  const inUse = revisions.filter(({ key }) => used.has(key));
  if (inUse.length > 1) return { obstacle: `add-ons refer to ${namesOf(inUse)}` };
  const current = inUse[0] ?? newest(revisions);
  if (current === undefined)
    return { obstacle: 'nothing refers to one of them, and no creationTimestamp shows which is the newest' };
  const plain = configKey(withWrittenName(current));
  if (plain !== undefined && existing.has(plain)) return { obstacle: `the input has ${current.written} too` };
  // Faults are reported by the admission of all objects.
  const stored = admitObject(current.loaded).object?.object;
  if (stored !== undefined && revisionName(current.written, stored['spec']) !== current.name)
    return { obstacle: `the content of ${current.name} is not the one that its name was made of` };
  return { current };
}

function newest(revisions: readonly Revision[]): Revision | undefined {
  if (revisions.length === 1) return revisions[0];
  const times = revisions.map(({ loaded }) => Date.parse(String(loaded.object.metadata.creationTimestamp)));
  const latest = Math.max(...times);
  return times.filter((time) => time === latest).length === 1 ? revisions[times.indexOf(latest)] : undefined;
}

function withWrittenName({ loaded, written }: Revision): LoadedObject {
  const { object } = loaded;
  return {
    ...loaded,
    object: withAnnotations(
      { ...object, metadata: { ...object.metadata, name: written } },
      { [revisionOfAnnotation]: undefined, [immutableAnnotation]: 'true' },
    ),
  };
}

function renamed(current: Revision, revisions: readonly Revision[]): Diagnostic {
  const others = revisions.filter((each) => each !== current);
  const omitted =
    others.length === 0
      ? ''
      : `, and import leaves out ${counted(others.length, 'other revision')}: ${namesOf(others)}`;
  return about('FW9106', current, `becomes the immutable ${current.written}${omitted}`);
}

function kept(revisions: readonly Revision[], reason: string): Diagnostic {
  const [first] = revisions;
  if (first === undefined) throw new Error('a set has a revision');
  const what =
    revisions.length === 1
      ? 'keeps its name'
      : `and the other revisions of ${first.written} keep their names`;
  return about('FW9107', first, `${what}, because ${reason}`);
}

function about(code: 'FW9106' | 'FW9107', { loaded, name }: Revision, message: string): Diagnostic {
  const { object, origin } = loaded;
  return diagnostic(code, {
    message: `${object.kind} ${objectKey(object.metadata.namespace, name)} ${message}`,
    object: referenceTo(object),
    path: 'metadata.name',
    location: origin.locate(['metadata', 'name']),
  });
}

function namesOf(revisions: readonly Revision[]): string {
  return revisions.map(({ name }) => name).join(', ');
}
