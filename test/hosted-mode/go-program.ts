import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import type {
  Condition,
  ManifestWorkV1,
  ManifestWorkV1ManifestConfigOption,
} from '../../schemas/types.gen.ts';

const program = path.join(import.meta.dirname, 'bin', 'hosted-mode');

/** An add-on on a cluster, with what its agent renders. */
export interface HostedRequest {
  readonly addOn: KubernetesObject;
  readonly clusters: readonly object[];
  readonly manifests: readonly object[];
  readonly manifestConfigs?: readonly ManifestWorkV1ManifestConfigOption[];
  /** Deletes the add-on after it was deployed. @property complete - the works of hooks that are complete then, as `namespace/name` */
  readonly deletion?: { readonly complete: readonly string[] };
}

/** What addon-framework's deploy controller makes of it. */
export interface HostedState {
  readonly works: readonly ManifestWorkV1[] | null;
  readonly finalizers: readonly string[] | null;
  readonly conditions: readonly Condition[] | null;
  readonly error?: string;
  /** Whether no finalizer keeps the deleted add-on any more. */
  readonly isGone?: true;
}

export interface HostedAnswer extends HostedState {
  /** After the deletion. */
  readonly deleting?: HostedState;
  /** After the hooks were reported. */
  readonly reported?: HostedState;
}

/** Builds the Go program. Go's cache makes that quick after the first time, which takes minutes. */
export function buildHostedMode(): void {
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns the answers of addon-framework, in order. */
export function askAddOnFramework(requests: readonly HostedRequest[]): HostedAnswer[] {
  const { status, stdout, stderr } = spawnSync(program, {
    input: requests.map((each) => `${JSON.stringify(each)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as HostedAnswer);
}
