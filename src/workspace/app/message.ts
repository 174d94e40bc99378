import type { FieldPath } from '../../compiler/index.ts';
import type { ValueFault } from '../../compiler/load/objects.ts';

/** The file descriptor through which a child receives requests and sends answers. */
export const channelDescriptor = 3;

/** What a child sends once its program runs, before any code of an app: one byte, which cannot arrive in parts. */
export const startSignal = Uint8Array.of(1);

/** Maximum size of an answer, in bytes. */
export const largestAnswer = 256 * 1024 * 1024;

/** A request to a child: to run one app. */
export interface AppRequest {
  /** The file that exports the construct tree, in a form that the child can import. */
  readonly module: string;
  /** The code of the user besides `module`: absolute paths of files and of folders that end in a slash. */
  readonly userCode: readonly string[];
  /** The argument of an app that exports a function. @default - such an app answers that it needs a hub */
  readonly hub?: SentHub;
}

/** A hub as an app receives it: the type `Hub` of the constructs. */
export interface SentHub {
  readonly name: string;
  readonly hubVersion: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly clusters: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
}

/** A position in a file as the child ran it. The parent finds the line that the user wrote. */
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
  /** The paths of integers in the object, which are strings in JSON. @default - there are none */
  readonly integers?: readonly FieldPath[];
  /** The values that have no form in JSON; `object` is empty then. @default - the object has a form in JSON */
  readonly nonJson?: readonly ValueFault[];
}

export interface SentFault {
  readonly construct: string;
  readonly message: string;
  readonly source?: Frame;
}

/** The error that an app threw. */
export interface SentError {
  readonly message: string;
  readonly isTypeError?: boolean;
  /** The code of Node's errors, such as `ERR_MODULE_NOT_FOUND`. */
  readonly code?: string;
  readonly stack?: string;
  /** The fix, of our own errors. */
  readonly hint?: string;
  /** Path of the construct that our own error is about. */
  readonly construct?: string;
  /** The access that was denied to the app, if that caused the error. */
  readonly denied?: Denied;
}

/** An access that an app tried and that is not allowed. */
export interface Denied {
  /** Node's name of the permission, such as `FileSystemWrite`. */
  readonly permission: string;
  /** The file, program or address; may be empty. */
  readonly resource: string;
  readonly source?: Frame;
}

/** An environment variable that an app reads and that it does not get. */
export interface MissingVariable {
  readonly name: string;
  readonly source?: Frame;
}

/** The answer of a child. */
export interface AppAnswer {
  readonly objects: readonly SentObject[];
  readonly errors: readonly SentFault[];
  /** The reason why there are no objects. @default - the app ran to its end */
  readonly failure?: SentError | 'no construct tree' | 'hub required';
  readonly denied: readonly Denied[];
  readonly variables: readonly MissingVariable[];
}
