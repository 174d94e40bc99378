import type { FieldPath } from './field-path.ts';

/**
 * The location of something: a file and line for YAML; for constructs, the construct's path, with the file and line of the call
 * that created it if these are known.
 */
export type Location = FileLocation | ConstructLocation;

/** A position in a file. */
export interface FileLocation {
  /** As passed to the loader: relative to the current directory of the command. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** The construct of an app that created an object. */
export interface ConstructLocation {
  /** The path in the construct tree, such as `helloworld/placement-aws`. */
  readonly construct: string;
  /** The line of the app that created the construct. */
  readonly source?: FileLocation;
}

/** The location of an object and of its fields. */
export interface Origin {
  /** The location of the object itself. */
  readonly location: Location;
  /** Returns the location of a field; of the nearest value around it if the field itself is not written. */
  locate(path: FieldPath): Location;
  /** What kustomize changed in the identity of the object, whose file has another one. @default - nothing */
  readonly changes?: readonly OriginChange[];
}

/** A change of an object between its file and the loaded object. */
export interface OriginChange {
  /** The changed field. */
  readonly path: FieldPath;
  /** Returns the location of the field that changed it. */
  readonly location: () => Location;
}
