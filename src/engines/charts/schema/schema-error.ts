/** Why a schema cannot be used. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError';
}

/** Why a validation ends early: it would take too long. */
export class SchemaLimitError extends SchemaError {
  override readonly name = 'SchemaLimitError';
}
