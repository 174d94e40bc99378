import type { Source } from '../model/inventory.ts';

/** One file to load. */
export interface SourceText {
  /** The name in diagnostics: relative to the current directory of the command. */
  readonly file: string;
  /** The decoded text; see `decodeText`. */
  readonly text: string;
  readonly source: Source;
  /**
   * Whether it was found in a given folder. It may then be something other than a manifest.
   * @default false
   */
  readonly isFromFolder?: boolean;
}
