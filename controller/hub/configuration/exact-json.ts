import { parseGoJson } from '../../../encoding/parse-go-json.ts';

/** Reads JSON as Go does, numbers beyond 2^53 with all their digits: hashes depend on them. */
export function decodeExactly(text: string): unknown {
  const parsed = parseGoJson(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed.value;
}
