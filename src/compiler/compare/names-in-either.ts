import { compareUtf8 } from '../../base/json/go-json.ts';

/** Returns the names that occur in at least one of two states, sorted. */
export function namesInEither(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort(compareUtf8);
}
