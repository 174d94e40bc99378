import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RecordedCase } from './case.ts';

function fileOf(name: string): string {
  return path.join(import.meta.dirname, 'recorded', `${name}.jsonl.gz`);
}

/** Returns the recorded cases of a file, with Go's answers. */
export function readRecording<Request>(name: string): RecordedCase<Request>[] {
  return gunzipSync(readFileSync(fileOf(name)))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RecordedCase<Request>);
}

export function writeRecording<Request>(name: string, cases: readonly RecordedCase<Request>[]): void {
  const text = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  writeFileSync(fileOf(name), gzipSync(text, { level: 9 }));
}
