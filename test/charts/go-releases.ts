import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildGoEngine } from '../engines/charts/go-engine.ts';

const program = path.resolve(import.meta.dirname, '../engines/charts/bin/charts');

/** A chart and its release; see release.go. */
interface Release {
  /** In base64, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  readonly values: string;
  readonly release: string;
  readonly namespace: string;
  readonly kubeVersion: string;
  /** Whether to install the chart on a cluster without objects. */
  readonly install?: boolean;
}

/** A chart that Helm renders, once or for several releases, or a question for the APIs that it assumes. */
export type ReleaseRequest =
  | { readonly release: Release }
  | { readonly bench: Release & { readonly releases: readonly string[] } }
  | { readonly apiVersions: true };

/** What the renderings of a chart for several releases cost Helm's engine. */
export interface BenchAnswer {
  /** Processor time without the loading. */
  readonly seconds: number;
  /** Of the process, in bytes. */
  readonly peakMemory: number;
  /** Of all releases. */
  readonly objects: number;
  /** Of these objects. */
  readonly characters: number;
}

/** What Helm makes of it. */
export interface ReleaseAnswer {
  /** The text of each template. */
  readonly files?: Readonly<Record<string, string>>;
  readonly error?: string;
  /** What `helm install` creates. Absent if it fails. */
  readonly installation?: Installation;
  readonly apiVersions?: readonly string[];
  readonly bench?: BenchAnswer;
}

/** What `helm install` does. */
interface Installation {
  /** The objects in the order in which Helm creates them. */
  readonly created: readonly unknown[];
  readonly hooks: readonly {
    readonly kind: string;
    readonly name: string;
    readonly events: readonly string[];
    readonly weight: number;
  }[];
}

export { buildGoEngine as buildProgram };

/** Maximum time for the cases of one chart, in milliseconds. */
const longest = 120_000;

/** Returns the answers of the Go program, in order. A program that ends early leaves answers out. */
export async function askGoProgram(requests: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]> {
  const child = spawn(program, { env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore'], timeout: longest });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stdin.on('error', () => undefined);
  child.stdin.end(requests.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await new Promise((resolve) => child.on('close', resolve));
  return Buffer.concat(parts)
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReleaseAnswer);
}

/** Returns the answers to any number of requests, in order, with a run of the program for each few of them. */
export async function askGoProgramInParts(
  requests: readonly ReleaseRequest[],
): Promise<readonly ReleaseAnswer[]> {
  const answers: ReleaseAnswer[] = [];
  for (let start = 0; start < requests.length; start += casesInPart) {
    const part = requests.slice(start, start + casesInPart);
    const found = await askGoProgram(part);
    if (found.length !== part.length)
      throw new Error(`the program answered ${found.length} of ${part.length} requests from ${start}`);
    answers.push(...found);
  }
  return answers;
}

const casesInPart = 50;
