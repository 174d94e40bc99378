import type { Rule } from '../rule.ts';
import { exportedMetadata } from './exported-metadata.ts';

/** The rules for objects of any kind, in the order in which their findings are returned. */
export const objectRules: readonly Rule[] = [exportedMetadata];
