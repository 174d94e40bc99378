// Prints how many tests of a vitest JSON report passed and failed; names those that failed on stderr.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let failed = 0;
for (const { name, status, message, assertionResults } of report.testResults) {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of tests)
    process.stderr.write(
      `FAIL ${name}: ${fullName}\n  ${failureMessages.join('\n').split('\n').slice(0, 12).join('\n  ')}\n`,
    );
  // A file that fails before its tests, or behind them, has none that failed.
  if (status === 'failed' && tests.length === 0) {
    process.stderr.write(`FAIL ${name}\n  ${message.split('\n').slice(0, 12).join('\n  ')}\n`);
    failed += 1;
  }
  failed += tests.length;
}
process.stdout.write(`${report.numPassedTests} ${failed}\n`);
