import type { FileLocation, Location, Admitted } from '../../compiler/index.ts';
import { hasFleet } from '../../compiler/model/needs-fleet.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import type { JudgedUnit } from '../commands/validate/judgement.ts';

/** An object, and the unit that it belongs to. */
export interface PlacedObject {
  readonly unit: JudgedUnit & Required<Pick<JudgedUnit, 'resolution'>>;
  readonly admitted: Admitted;
  /** Where it begins: in YAML, or the call that created its construct. */
  readonly start: FileLocation;
}

/** The objects that resolve, by the file that has them, in the order of their lines. */
export type ObjectsInFiles = ReadonlyMap<string, readonly PlacedObject[]>;

/** Returns the objects of units by file. An object that several hubs share is there once per hub. */
export function objectsInFiles(units: readonly JudgedUnit[]): ObjectsInFiles {
  const byFile = new Map<string, PlacedObject[]>();
  for (const unit of units) {
    const { resolution } = unit;
    if (resolution === undefined) continue;
    const resolved = { ...unit, resolution };
    for (const admitted of resolution.inventory.objects) {
      const start = fileLocation(admitted.origin.location);
      if (start !== undefined) addToGroup(byFile, start.file, { unit: resolved, admitted, start });
    }
  }
  for (const objects of byFile.values()) objects.sort((a, b) => a.start.line - b.start.line);
  return byFile;
}

/** Returns the first file of an app without a fleet, otherwise of any app; undefined if no app has objects. */
export function firstFile(units: readonly JudgedUnit[]): string | undefined {
  const withoutFleet = units.filter(({ resolution }) => resolution && !hasFleet(resolution.inventory));
  for (const { inputs } of [...withoutFleet, ...units])
    for (const { source, origin } of inputs.objects) {
      const file = source === 'app' ? fileLocation(origin.location)?.file : undefined;
      if (file !== undefined) return file;
    }
  return undefined;
}

/** Returns the place in a file. Undefined if the app did not say where it created a construct. */
export function fileLocation(location: Location): FileLocation | undefined {
  return 'file' in location ? location : location.source;
}

/** Returns the objects that contain a line of YAML, or that the line of an app creates: one for each hub. */
export function objectsAtLine(
  objects: readonly PlacedObject[],
  line: number,
  isCode: boolean,
): readonly PlacedObject[] {
  if (isCode) return objects.filter(({ start }) => start.line === line);
  const first = objects.findLast(({ start }) => start.line <= line);
  return first === undefined ? [] : objects.filter(({ start }) => start.line === first.start.line);
}
