import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Answer, ChartCase, TemplateCase } from './case.ts';

const program = path.join(import.meta.dirname, 'bin', 'charts');

/** Builds the Go program. Go's cache makes that quick after the first time, which takes minutes. */
export function buildGoEngine(): void {
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the answers of Go's engines, in order. */
export function askGo(cases: readonly (TemplateCase | ChartCase)[]): Answer[] {
  const { status, stdout, stderr } = spawnSync(program, {
    input: cases.map((each) => `${JSON.stringify(each)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 300_000,
    env: { TZ: 'UTC' },
  });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer);
}
