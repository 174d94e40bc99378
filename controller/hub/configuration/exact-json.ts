import { parseGoJson } from '../../../kubernetes/go/parse-json.ts';

/** Parses JSON as Go does, with all digits of numbers beyond 2^53: hashes depend on them. */
export function decodeExactly(text: string): unknown {
  const parsed = parseGoJson(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.value;
}
