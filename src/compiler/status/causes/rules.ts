import type { CauseRule } from '../evidence.ts';
import { certificateRule } from './certificate.ts';
import { clusterRule, namespaceRule, taintRule } from './cluster.ts';
import { configurationRule, stalledRule } from './configuration.ts';
import { deletionRule } from './deletion.ts';
import { gitRule } from './git.ts';
import { deadlineRule, healthRule } from './health.ts';
import { managerRule, progressRule, workWriterRule } from './manager.ts';
import { promotionRule } from './promotion.ts';
import { missingRule, pendingRule, waveRule } from './rollout.ts';
import { tokenRule } from './token.ts';
import { workRule } from './work.ts';

/**
 * All rules in the order in which a fault has effects: what fails in Git or on the cluster shows in everything behind it. The first
 * cause that applies is the cause of the others.
 */
export const causeRules: readonly CauseRule[] = [
  promotionRule,
  gitRule,
  taintRule,
  clusterRule,
  namespaceRule,
  deletionRule,
  stalledRule,
  missingRule,
  configurationRule,
  waveRule,
  managerRule,
  pendingRule,
  workWriterRule,
  tokenRule,
  certificateRule,
  workRule,
  deadlineRule,
  progressRule,
  healthRule,
];
