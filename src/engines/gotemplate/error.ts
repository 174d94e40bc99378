/** Where in a template an error is. */
export interface TemplatePosition {
  /** The name of the parsed text, such as the file `chart/templates/deployment.yaml`. */
  readonly template: string;
  /** Counted from 1. */
  readonly line: number;
  /** Bytes before the action in its line, as Go counts; undefined for syntax errors, for which Go reports only the line. */
  readonly column?: number;
}

/** An error of parsing or executing a template. The message is Go's, word for word. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly phase: 'parse' | 'execute';
  /** Undefined if Go's message has none. */
  readonly position: TemplatePosition | undefined;

  /** @param cause - the error of the function that failed, if one did */
  constructor(message: string, phase: 'parse' | 'execute', position?: TemplatePosition, cause?: Error) {
    super(message, { cause });
    this.phase = phase;
    this.position = position;
  }
}

/** A template that exceeds a bound of this engine, which Go does not have. */
export class TemplateLimitError extends Error {
  override readonly name = 'TemplateLimitError';
  readonly position: TemplatePosition | undefined;

  constructor(message: string, position?: TemplatePosition) {
    super(message);
    this.position = position;
  }
}

/** The error of a function. The executor adds the position and the name of the function. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** A function that this engine does not run, because its result would be different each time or on each machine. */
export class UnsupportedFunctionError extends FunctionError {}
