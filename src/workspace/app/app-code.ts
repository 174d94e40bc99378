import type { FileLocation } from '../../compiler/index.ts';
import type { Frame } from './message.ts';

/** The code of an app, in a form that a child process can import. */
export interface AppCode {
  readonly module: string;
  /** Other code of the user, as in `AppRequest`. */
  readonly userCode: readonly string[];
  /** Returns the location in the files of the user; absolute. */
  locate(frame: Frame): Frame;
}

export interface AppCodeOptions {
  /** The folder that the files of locations are relative to; a real path. */
  readonly cwd: string;
  /** The folder of all code of the user; a real path. */
  readonly root: string;
  /** A folder for the result. */
  readonly temporary: string;
  /** Whether a file may be read. */
  readonly mayRead: (file: string) => boolean;
}

/** The reason why the code of an app cannot be run. */
export class UnreadableApp extends Error {
  readonly location: FileLocation | undefined;
  readonly hint: string | undefined;

  constructor(message: string, location?: FileLocation, hint?: string) {
    super(message);
    this.name = 'UnreadableApp';
    this.location = location;
    this.hint = hint;
  }
}
