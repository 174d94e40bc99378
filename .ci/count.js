// Prints how many tests of a vitest JSON report passed and failed; names those that failed on stderr. The report of a second
// attempt replaces the results of its files, and the failures of the first attempt are named, too.
import { existsSync, readFileSync } from 'node:fs';

const [first, second] = process.argv
  .slice(2)
  .filter(existsSync)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);
if (first === undefined) throw new Error('there is no report');
const again = new Map((second ?? []).map((result) => [result.name, result]));

let passed = 0;
let failed = 0;
for (const result of first) {
  const attempt = again.get(result.name);
  if (attempt?.status === 'passed') name('FAILED ONCE, passed alone', result);
  const { assertionResults } = attempt ?? result;
  passed += assertionResults.filter(({ status }) => status === 'passed').length;
  failed += attempt?.status === 'passed' ? 0 : name('FAIL', attempt ?? result);
}
process.stdout.write(`${passed} ${failed}\n`);

/** Writes the failures of a file, and returns their number. */
function name(word, { name: file, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of tests)
    process.stderr.write(`${word} ${file}: ${fullName}\n  ${firstLines(failureMessages.join('\n'))}\n`);
  // A file that fails before its tests, or behind them, has none that failed.
  const isWhole = status === 'failed' && tests.length === 0;
  if (isWhole) process.stderr.write(`${word} ${file}\n  ${firstLines(message)}\n`);
  return tests.length + Number(isWhole);
}

function firstLines(text) {
  return text.split('\n').slice(0, 12).join('\n  ');
}
