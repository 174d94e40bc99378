import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildHub, hasGo } from '../hub/process/build-hub.ts';
import { buildArgoCd } from './engines/argo-cd/build.ts';
import { buildFlux } from './engines/flux/build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the built tools are in. */
    tools: string;
  }
}

const root = path.resolve(import.meta.dirname, '../..');

/** Where the module of each tool is, and which of its packages is the program. */
const modules = {
  kustomize: ['bench/kustomize', 'sigs.k8s.io/kustomize/kustomize/v5'],
  kubeconform: ['test/gitops/tools', 'github.com/yannh/kubeconform/cmd/kubeconform'],
  artifact: ['test/gitops/tools', './artifact'],
  registry: ['test/gitops/tools', './registry'],
  health: ['test/gitops/tools', './health'],
  yaml: ['test/gitops/tools', './yaml'],
  'flux-health': ['test/gitops/flux', './health'],
  'flux-kustomizations': ['test/gitops/flux', './kustomizations'],
} as const;

/** Builds the tools; Go's own cache makes that quick after the first time. */
export default function setup(project: TestProject): () => void {
  if (!hasGo())
    throw new Error(
      'the tests of test/gitops run kustomize, kubeconform, Argo CD, Flux and the hub, and building them needs Go 1.26',
    );
  // Before test files that run at the same time would build them at the same time.
  buildHub();
  buildArgoCd();
  buildFlux();
  const tools = mkdtempSync(path.join(tmpdir(), 'fleetwright-tools-'));
  for (const [name, [module, program]] of Object.entries(modules)) {
    execFileSync('go', ['build', '-o', path.join(tools, name), program], {
      cwd: path.join(root, module),
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  project.provide('tools', tools);
  return () => rmSync(tools, { recursive: true });
}
