// Prints the files of a vitest JSON report that failed, if they are few. More than three have a cause that a second attempt
// does not remove.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const files = report.testResults
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => path.relative('', name));
if (files.length <= 3) process.stdout.write(files.join(' '));
