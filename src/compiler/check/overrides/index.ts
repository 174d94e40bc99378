import type { Rule } from '../rule.ts';
import { overrideOutsideWaves } from './override-outside-waves.ts';
import { syncedAnnotation } from './synced-annotation.ts';
import { unselectedOverride } from './unselected-override.ts';

/** The rules for overrides of single clusters, in the order in which their findings are returned. */
export const overrideRules: readonly Rule[] = [unselectedOverride, overrideOutsideWaves, syncedAnnotation];
