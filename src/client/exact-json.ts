import { parseGoJson } from '../base/json/parse-json.ts';

/**
 * Parses JSON as Go does, with all digits of numbers beyond 2^53. Hashes depend on them, and so do snapshots.
 *
 * @throws Error if the text is not JSON
 */
export function decodeExactly(text: string): unknown {
  const parsed = parseGoJson(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.value;
}
