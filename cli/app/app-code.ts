import type { FileLocation } from '../../compiler/origin.ts';
import type { Frame } from './message.ts';

/** The code of an app as a child can import it. */
export interface AppCode {
  readonly module: string;
  /** Other code of the user, as `AppRequest` has it. */
  readonly userCode: readonly string[];
  /** The place in the files of the user; absolute. */
  locate(frame: Frame): Frame;
}

export interface AppCodeOptions {
  /** Relative to it are the files of locations; real. */
  readonly cwd: string;
  /** The folder of all code of the user; real. */
  readonly root: string;
  /** A folder for the result. */
  readonly temporary: string;
  /** Whether a file may be read. */
  readonly mayRead: (file: string) => boolean;
}

/** Why the code of an app cannot be run. */
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
