import { hasGo } from './hub/process/build-hub.ts';

/** Says what the tests that need Go would add, where this machine has none. */
export default function setup(): void {
  if (hasGo()) return;
  process.stdout.write(
    'Without Go there is no npm run test:hub, which would hold resolve, rollout, validate and what synth emits against a real hub, and no npm run test:gitops, which would hold it against kustomize, kubeconform, Argo CD and Flux\n',
  );
}
