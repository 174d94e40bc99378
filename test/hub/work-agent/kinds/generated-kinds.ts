import { admissionKinds } from './admission-kinds.ts';
import { configurationKinds } from './configuration-kinds.ts';
import type { GeneratedKind } from './generated-kind.ts';
import { networkKinds } from './network-kinds.ts';
import { storageKinds } from './storage-kinds.ts';
import { workloadKinds } from './workload-kinds.ts';

/** All kinds of which the test generates manifests. */
export const generatedKinds: readonly GeneratedKind[] = [
  ...workloadKinds,
  ...configurationKinds,
  ...networkKinds,
  ...storageKinds,
  ...admissionKinds,
];
