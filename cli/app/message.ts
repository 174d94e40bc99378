import type { FieldPath } from '../../compiler/field-path.ts';
import type { Wrong } from '../../compiler/load/objects.ts';

/** The file descriptor of a child through which it is asked, and answers. */
export const channelDescriptor = 3;

/** Bytes of an answer at most. */
export const largestAnswer = 256 * 1024 * 1024;

/** What a child is asked: to run one app. */
export interface AppRequest {
  /** The file that exports the construct tree, as the child can import it. */
  readonly module: string;
  /** Apart from `module`, where code of the user is: absolute paths of files and folders that end in a slash. */
  readonly userCode: readonly string[];
}

/** A position in a file as the child ran it: the parent finds the line that the user wrote. */
export interface Frame {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** An object of an app as JSON. */
export interface SentObject {
  readonly object: unknown;
  readonly construct: string;
  readonly source?: Frame;
  /** Where there are integers in the object, which are strings in JSON. @default - there are none */
  readonly integers?: readonly FieldPath[];
  /** What JSON has no form for; then `object` is empty. @default - the object has a form in JSON */
  readonly nonJson?: readonly Wrong[];
}

export interface SentError {
  readonly construct: string;
  readonly message: string;
  readonly source?: Frame;
}

/** What an app threw. */
export interface SentFailure {
  readonly message: string;
  readonly isTypeError?: boolean;
  /** The code of Node's errors, such as `ERR_MODULE_NOT_FOUND`. */
  readonly code?: string;
  readonly stack?: string;
  /** What the app tried where that was denied. */
  readonly denied?: Denied;
}

/** Something that an app tried and may not. */
export interface Denied {
  /** As Node calls it, such as `FileSystemWrite`. */
  readonly permission: string;
  /** Of which file, program or address; may be empty. */
  readonly resource: string;
  readonly source?: Frame;
}

/** A variable of the environment that an app asked for and does not get. */
export interface MissingVariable {
  readonly name: string;
  readonly source?: Frame;
}

/** What a child answers. */
export interface AppAnswer {
  readonly objects: readonly SentObject[];
  readonly errors: readonly SentError[];
  /** Why there are no objects. @default - the app ran to its end */
  readonly failure?: SentFailure | 'no construct tree';
  readonly denied: readonly Denied[];
  readonly variables: readonly MissingVariable[];
}
