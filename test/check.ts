// `npm run check`: the scripts of package.json that begin with "check:", as many at once as there are processors. Prints the
// output of those that fail.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));

async function run(name: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const status = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await status) === 0) return;
  process.exitCode = 1;
  process.stdout.write(`${output.join('')}${name} failed\n`);
}

async function runNext(): Promise<void> {
  for (let name = checks.shift(); name !== undefined; name = checks.shift()) await run(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, () => runNext()));
