import type { Rule } from '../rule.ts';
import { agentPermission } from './agent-permission.ts';
import { contestedObject } from './contested-object.ts';
import { executorPermission } from './executor-permission.ts';
import { endlessUpdate } from './endless-update.ts';
import { hubObject } from './hub-object.ts';
import { injectedCertificate } from './injected-certificate.ts';
import { missingDependency } from './missing-dependency.ts';
import { missingNamespace } from './missing-namespace.ts';
import { refusedObject } from './refused-object.ts';
import { replacedManifest } from './replaced-manifest.ts';
import { scaledReplicas } from './scaled-replicas.ts';
import { scope } from './scope.ts';

/** The rules for what work agents and API servers of clusters do with manifests, in the order in which their findings are returned. */
export const clusterRules: readonly Rule[] = [
  scope,
  hubObject,
  refusedObject,
  agentPermission,
  executorPermission,
  missingNamespace,
  endlessUpdate,
  replacedManifest,
  contestedObject,
  scaledReplicas,
  injectedCertificate,
  missingDependency,
];
