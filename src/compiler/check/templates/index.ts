import type { Rule } from '../rule.ts';
import { caWithoutProxy } from './ca-without-proxy.ts';
import { containerIdPattern } from './container-id-pattern.ts';
import { emptyMirror } from './empty-mirror.ts';
import { foreignTemplate } from './foreign-template.ts';
import { hostedTemplate } from './hosted-template.ts';
import { ignoredTemplateField } from './ignored-template-field.ts';
import { initContainer } from './init-container.ts';
import { literalBraces } from './literal-braces.ts';
import { missingRole } from './missing-role.ts';
import { movedNamespace } from './moved-namespace.ts';
import { nonRsaCa } from './non-rsa-ca.ts';
import { nothingToDeploy } from './nothing-to-deploy.ts';
import { refusedWork } from './refused-work.ts';
import { registrationMembers } from './registration-members.ts';
import { registrationVolume } from './registration-volume.ts';
import { repeatedEnvironment } from './repeated-environment.ts';
import { reservedVariable } from './reserved-variable.ts';
import { secretInManifest } from './secret-in-manifest.ts';
import { shadowedRegistries } from './shadowed-registries.ts';
import { sharedGroupPermission } from './shared-group.ts';
import { singleNamespaceToken } from './single-namespace-token.ts';
import { templateManifestConfigs } from './template-manifest-configs.ts';
import { tolerationsAlone } from './tolerations-alone.ts';
import { undecoratedKind } from './undecorated-kind.ts';
import { undecoratedWorkload } from './undecorated-workload.ts';
import { undefinedVariable } from './undefined-variable.ts';
import { unescapedValue } from './unescaped-value.ts';
import { unmatchedContainer } from './unmatched-container.ts';
import { unmatchedReplicas } from './unmatched-replicas.ts';
import { unmatchedManifestConfig } from './unmatched-manifest-config.ts';
import { unreachableCa } from './unreachable-ca.ts';
import { unrunHook } from './unrun-hook.ts';
import { unservedToken } from './unserved-token.ts';
import { variableInValue } from './variable-in-value.ts';

/** The rules for templates, their variables and the settings that clusters give them, in the order in which their findings are returned. */
export const templateRules: readonly Rule[] = [
  undefinedVariable,
  literalBraces,
  unescapedValue,
  variableInValue,
  undecoratedWorkload,
  tolerationsAlone,
  initContainer,
  undecoratedKind,
  movedNamespace,
  templateManifestConfigs,
  unmatchedManifestConfig,
  caWithoutProxy,
  shadowedRegistries,
  ignoredTemplateField,
  foreignTemplate,
  singleNamespaceToken,
  unservedToken,
  sharedGroupPermission,
  hostedTemplate,
  nothingToDeploy,
  registrationMembers,
  nonRsaCa,
  secretInManifest,
  refusedWork,
  containerIdPattern,
  emptyMirror,
  reservedVariable,
  unreachableCa,
  registrationVolume,
  unrunHook,
  unmatchedContainer,
  unmatchedReplicas,
  missingRole,
  repeatedEnvironment,
];
