import type { Admitted, FileLocation } from '../../compiler/index.ts';
import { writtenNames } from '../../compiler/compare/usable-objects.ts';
import { referentKey, type Referent } from '../../ocm/referent.ts';
import type { JudgedUnit } from '../commands/validate/judgement.ts';
import { namedObjects, referentOfObject } from './named-objects.ts';
import { fileLocation } from './placed-in-files.ts';
import type { YamlField } from './yaml-field.ts';

/** Where an object is written, and where its name is. */
export interface Definition {
  /** The object itself. */
  readonly start: FileLocation;
  /** Its name, or the call that created it. */
  readonly name: FileLocation;
}

/** Returns what the field at a position names: another object, or the object itself if it is the object's name or kind. */
export function namedAt({ object, path }: YamlField): Referent | undefined {
  const named = namedObjects(object).findLast(
    ({ path: ofMap }) => ofMap.length <= path.length && ofMap.every((step, index) => step === path[index]),
  );
  if (named !== undefined) return named.referent;
  const { apiVersion, kind, metadata } = object;
  const isOwn =
    path[0] === 'kind' || path[0] === 'apiVersion' || (path[0] === 'metadata' && path[1] === 'name');
  if (!isOwn || typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const { name, namespace } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return undefined;
  return referentOfObject({
    apiVersion,
    kind,
    metadata: { name, ...(typeof namespace === 'string' && { namespace }) },
  });
}

/** Returns where an object is written: in each unit that has it. @param source - of which inputs. @default - of all */
export function definitionsOf(
  units: readonly JudgedUnit[],
  referent: Referent,
  source?: Admitted['source'],
): readonly Definition[] {
  const key = referentKey(referent);
  return distinct(
    units.flatMap(({ resolution }) => {
      const written = resolution && writtenNames(resolution.inventory);
      return (resolution?.inventory.objects ?? []).flatMap(
        ({ object, origin, source: ofObject }): Definition[] => {
          if (source !== undefined && source !== ofObject) return [];
          const held = referentOfObject(object);
          if (keyAsWritten(held, written) !== key) return [];
          const start = fileLocation(origin.location);
          const name = fileLocation(origin.locate(['metadata', 'name']));
          return start === undefined || name === undefined ? [] : [{ start, name }];
        },
      );
    }),
    ({ start }) => start,
  );
}

/** Returns the places of the names that refer to an object. @param source - of which inputs. @default - of all */
export function referencesTo(
  units: readonly JudgedUnit[],
  referent: Referent,
  source?: Admitted['source'],
): readonly FileLocation[] {
  const key = referentKey(referent);
  return distinct(
    units.flatMap(({ resolution }) => {
      const written = resolution && writtenNames(resolution.inventory);
      return (resolution?.inventory.objects ?? []).flatMap(({ object, origin, source: ofObject }) =>
        namedObjects({ ...object }).flatMap((named) => {
          if (source !== undefined && source !== ofObject) return [];
          if (keyAsWritten(named.referent, written) !== key) return [];
          return fileLocation(origin.locate(named.namePath)) ?? [];
        }),
      );
    }),
    (place) => place,
  );
}

/** Returns the key of an object by the name that the user wrote: the hub's name of an immutable object has its revision. */
function keyAsWritten(referent: Referent, written: ReadonlyMap<string, string> | undefined): string {
  const key = referentKey(referent);
  const name = written?.get(key);
  return name === undefined ? key : referentKey({ ...referent, name });
}

function distinct<T>(values: readonly T[], placeOf: (value: T) => FileLocation): readonly T[] {
  const byPlace = new Map(
    values.map((value) => {
      const { file, line, column } = placeOf(value);
      return [`${file}:${line}:${column}`, value];
    }),
  );
  return [...byPlace.values()];
}
