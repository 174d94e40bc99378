import type { Rule } from '../rule.ts';
import { exportedMetadata } from './exported-metadata.ts';
import { kindAsResource } from './kind-as-resource.ts';
import { recreatingOption } from './recreating-option.ts';
import { taintInGit } from './taint-in-git.ts';

/** The rules for objects of any kind, in the order in which their findings are returned. */
export const objectRules: readonly Rule[] = [exportedMetadata, kindAsResource, recreatingOption, taintInGit];
