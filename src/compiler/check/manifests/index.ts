import type { Rule } from '../rule.ts';
import { servedManifests } from './served-manifests.ts';

/** The rules for manifests of templates and works, in the order in which their findings are returned. */
export const manifestRules: readonly Rule[] = [servedManifests];
