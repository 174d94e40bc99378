import type { Rule } from '../rule.ts';
import { rejectedCluster } from './rejected-cluster.ts';
import { rejectedWork } from './rejected-work.ts';

/** The rules for what OCM's admission webhooks reject, in the order in which their findings are returned. */
export const webhookRules: readonly Rule[] = [rejectedWork, rejectedCluster];
