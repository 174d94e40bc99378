import type { Diagnostic } from '../../diagnostic.ts';
import type { FieldPath } from '../../field-path.ts';
import { fieldAt, listAt, nameOf, setupFinding, type CheckedSetup, type SetupObject } from './setup.ts';

/** The data of Argo CD's ConfigMap `argocd-cm`. */
export type ArgoCdSettings = Readonly<Record<string, string>>;

/**
 * Checks the Applications and ApplicationSets that apply the output, and Argo CD's ConfigMaps.
 *
 * @param settings - the settings that this version has in gitops/argocd-cm.yaml
 */
export function checkArgoCd(objects: readonly SetupObject[], settings: ArgoCdSettings): CheckedSetup {
  const applications = objects.filter((each) => appliesOutput(each));
  const configMaps = objects.filter(
    ({ object }) => object.kind === 'ConfigMap' && object.metadata.name === 'argocd-cm',
  );
  return {
    checked: applications.length,
    diagnostics: [
      ...applications.flatMap(applicationFindings),
      ...configMaps.flatMap((configMap) => settingsFindings(configMap, settings)),
    ],
  };
}

/** Returns the path of the Application's `spec`, in the object. Undefined for other kinds. */
function specOf({ object }: SetupObject): FieldPath | undefined {
  if (!object.apiVersion.startsWith('argoproj.io/')) return undefined;
  if (object.kind === 'Application') return ['spec'];
  return object.kind === 'ApplicationSet' ? ['spec', 'template', 'spec'] : undefined;
}

/** Folders of `dist/`, folders that a generator finds, and folders of the plugin. */
function appliesOutput(each: SetupObject): boolean {
  const spec = specOf(each);
  if (spec === undefined) return false;
  const sources = [fieldAt(each.object, ...spec, 'source'), ...listAt(each.object, ...spec, 'sources')];
  return sources.some((source) => {
    const path = fieldAt(source, 'path');
    const isPlugin = fieldAt(source, 'plugin') !== undefined;
    return typeof path === 'string' && (/(?:^|\/)dist(?:\/|$)|\{\{.*path/.test(path) || isPlugin);
  });
}

function applicationFindings(application: SetupObject): readonly Diagnostic[] {
  const spec = specOf(application) ?? [];
  const name = nameOf(application);
  const policy = [...spec, 'syncPolicy'];
  const options = listAt(application.object, ...policy, 'syncOptions');
  const limit = fieldAt(application.object, ...policy, 'retry', 'limit');
  const findings: Diagnostic[] = [];
  if (typeof limit !== 'number' || limit >= 0)
    findings.push(
      setupFinding(
        'FW9060',
        application,
        [...policy, 'retry'],
        `${name} gives a commit up after ${typeof limit === 'number' ? limit : 5} retries`,
        'set syncPolicy.retry: { limit: -1, refresh: true, backoff: { duration: 10s, factor: 2, maxDuration: 3m } }',
      ),
    );
  if (!options.includes('ServerSideApply=true'))
    findings.push(
      setupFinding(
        'FW9061',
        application,
        [...policy, 'syncOptions'],
        `${name} does not use server-side apply`,
        'add ServerSideApply=true to syncPolicy.syncOptions',
      ),
    );
  if (options.includes('PruneLast=true'))
    findings.push(
      setupFinding(
        'FW9062',
        application,
        [...policy, 'syncOptions', options.indexOf('PruneLast=true')],
        `${name} prunes last: a commit that prunes something waits for the end of the rollout, and later commits wait with it`,
        'remove PruneLast=true; synth keeps objects as long as the hub uses them',
      ),
    );
  if (!options.includes('PrunePropagationPolicy=background'))
    findings.push(
      setupFinding(
        'FW9063',
        application,
        [...policy, 'syncOptions'],
        `${name} deletes in the foreground: the hub creates the ManagedClusterAddOns of a deleted add-on again`,
        'add PrunePropagationPolicy=background to syncPolicy.syncOptions',
      ),
    );
  if (fieldAt(application.object, ...policy, 'automated', 'prune') !== true)
    findings.push(
      setupFinding(
        'FW9064',
        application,
        [...policy, 'automated'],
        `${name} does not delete objects that Git no longer has`,
        'set syncPolicy.automated: { prune: true, selfHeal: true }',
      ),
    );
  return findings;
}

function settingsFindings(configMap: SetupObject, settings: ArgoCdSettings): readonly Diagnostic[] {
  const argoSettings = fieldAt(configMap.object, 'data');
  const missing: string[] = [];
  const different: string[] = [];
  for (const [key, wanted] of Object.entries(settings)) {
    const value = fieldAt(argoSettings, key);
    const kind = key.slice(key.lastIndexOf('_') + 1);
    const list = value === undefined ? missing : different;
    if (textOf(value) !== wanted.trim() && !list.includes(kind)) list.push(kind);
  }
  const { namespace = 'argocd' } = configMap.object.metadata;
  return [
    { kinds: missing, words: 'has no health check' },
    { kinds: different, words: 'does not have the health check of this version' },
  ]
    .filter(({ kinds }) => kinds.length > 0)
    .map(({ kinds, words }) =>
      setupFinding(
        'FW9065',
        configMap,
        ['data'],
        `${nameOf(configMap)} ${words} for ${kinds.join(', ')}`,
        namespace === 'openshift-gitops'
          ? 'add gitops/openshift-gitops.yaml of the package to the ArgoCD object: its operator writes the ConfigMap'
          : `\`kubectl -n ${namespace} patch configmap argocd-cm --patch-file node_modules/fleetwright/gitops/argocd-cm.yaml\``,
      ),
    );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}
