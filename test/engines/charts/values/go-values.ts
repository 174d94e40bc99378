import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { ValuesAnswer, ValuesRequest } from './random-request.ts';

const program = path.join(import.meta.dirname, 'bin', 'values');

/** Builds the Go program. Go's cache makes that quick after the first time, which takes minutes. */
export function buildGoValues(): void {
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the answers of addon-framework, in order. */
export function askGoValues(requests: readonly ValuesRequest[]): ValuesAnswer[] {
  return askGoProgram(requests.map((each) => JSON.stringify(asGo(each))));
}

/** Returns what the program answers to lines of JSON. */
export function askGoProgram<Answer>(requests: readonly string[]): Answer[] {
  const { status, stdout, stderr } = spawnSync(program, {
    input: requests.map((each) => `${each}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer);
}

/** A conversion of an image is a name and two arguments of its function in Go. */
export function asGo(request: ValuesRequest): object {
  return {
    ...request,
    profile: request.profile.map((each) => {
      if (each.function !== 'GetAddOnDeploymentConfigValues') return each;
      return {
        function: each.function,
        toValues: each.toValues.map((conversion) =>
          typeof conversion === 'string' ? { function: conversion } : conversion,
        ),
      };
    }),
  };
}
