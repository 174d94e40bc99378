/** A text that is not valid YAML, or that Go cannot read. The message is Go's. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  /** Counted from 1; undefined if Go reports none. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
