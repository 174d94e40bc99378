import type { Rule } from '../rule.ts';
import { contestedWork } from './contested-work.ts';
import { emptyHosting } from './empty-hosting.ts';
import { hostingCluster } from './hosting-cluster.ts';
import { hostingDiscovery } from './hosting-discovery.ts';
import { missingCluster } from './missing-cluster.ts';
import { rejectedReplicaSetWork } from './rejected-replica-set-work.ts';
import { stoppingReplicaSet } from './stopping-replica-set.ts';
import { unmatchedEntry } from './unmatched-entry.ts';
import { waitingReplicaSet } from './waiting-replica-set.ts';

/** The rules for works and hosted add-ons, in the order in which their findings are returned. */
export const workRules: readonly Rule[] = [
  stoppingReplicaSet,
  waitingReplicaSet,
  contestedWork,
  rejectedReplicaSetWork,
  hostingCluster,
  hostingDiscovery,
  emptyHosting,
  unmatchedEntry,
  missingCluster,
];
