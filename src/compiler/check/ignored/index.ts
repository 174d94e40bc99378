import type { Rule } from '../rule.ts';
import { featureGate } from './feature-gate.ts';
import { installNamespaceRule } from './install-namespace.ts';
import { klusterletAnnotation } from './klusterlet-annotation.ts';
import { lifecycle } from './lifecycle.ts';
import { longAddOnName } from './long-add-on-name.ts';
import { missingScore } from './missing-score.ts';
import { missingSubject } from './missing-subject.ts';
import { unreadAnnotation } from './unread-annotation.ts';
import { unusedApplySetting } from './unused-apply-setting.ts';

/** The rules for names, fields and references that the hub ignores, in the order in which their findings are returned. */
export const ignoredRules: readonly Rule[] = [
  featureGate,
  klusterletAnnotation,
  lifecycle,
  installNamespaceRule,
  longAddOnName,
  missingSubject,
  missingScore,
  unreadAnnotation,
  unusedApplySetting,
];
