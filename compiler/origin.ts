import type { FieldPath } from './field-path.ts';

/**
 * Where something was written. A file and line for YAML; for constructs the construct's path, with the file and line
 * of the call that created it where that is known.
 */
export type Location = FileLocation | ConstructLocation;

export interface FileLocation {
  /** As given to the loader: relative to where the command ran. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

export interface ConstructLocation {
  /** The path in the construct tree, such as `helloworld/placement-aws`. */
  readonly construct: string;
  /** The line of the app that created the construct. */
  readonly source?: FileLocation;
}

/** Where an object came from, and where its fields stand. */
export interface Origin {
  /** The object's own place. */
  readonly location: Location;
  /** The place of a field; of the nearest value around it where the field itself is not written. */
  locate(path: FieldPath): Location;
}
