import type { FileLocation } from '../compiler/index.ts';
import { UserError } from './user-error.ts';

/** An error of the user at a line of a file. Its message begins with the line, which an editor shows otherwise. */
export class LocatedError extends UserError {
  readonly location: FileLocation;
  /** The message without the line. */
  readonly problem: string;

  constructor(location: FileLocation, problem: string, hint?: string) {
    super(`${location.file}:${location.line}: ${problem}`, hint);
    this.location = location;
    this.problem = problem;
  }
}
