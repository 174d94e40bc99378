import { hasGo } from './hub/process/build-hub.ts';

/** Says what the tests against a real hub would add, where this machine cannot build one. */
export default function setup(): void {
  if (hasGo()) return;
  process.stdout.write(
    'Without Go there is no npm run test:hub, which would hold resolve, rollout, validate and what synth emits against a real hub\n',
  );
}
