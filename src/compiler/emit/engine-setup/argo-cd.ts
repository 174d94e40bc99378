import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { coverageFindings, isAround, plainPath, type AppOutput } from './coverage.ts';
import { harmfulOptionsOfArgoCd } from './harmful-options.ts';
import { fieldAt, listAt, nameOf, setupFinding, type CheckedSetup, type SetupObject } from './setup.ts';

/** The data of Argo CD's ConfigMap `argocd-cm`. */
export type ArgoCdSettings = Readonly<Record<string, string>>;

/**
 * Checks the Applications and ApplicationSets that apply the output, and Argo CD's ConfigMaps.
 *
 * @param settings - the settings that this version has in packaging/gitops/argocd-cm.yaml
 * @param outputs - the output of each app
 */
export function checkArgoCd(
  objects: readonly SetupObject[],
  settings: ArgoCdSettings,
  outputs: readonly AppOutput[] = [],
): CheckedSetup {
  const applications = objects.filter((each) => appliesOutput(each));
  const configMaps = objects.filter(
    ({ object }) => object.kind === 'ConfigMap' && object.metadata.name === 'argocd-cm',
  );
  return {
    checked: applications.length,
    diagnostics: [
      ...applications.flatMap(applicationFindings),
      ...applications.flatMap((each) => harmfulOptionsOfArgoCd(each, specOf(each) ?? [])),
      ...coverageFindings(outputs, 'Application', applications[0], (output) =>
        applications.some((application) => applies(application, output)),
      ),
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

/** Whether Argo CD applies the output of an app, or compiles the app. */
function applies(application: SetupObject, { folder, source }: AppOutput): boolean {
  const spec = specOf(application) ?? [];
  const sources = [
    fieldAt(application.object, ...spec, 'source'),
    ...listAt(application.object, ...spec, 'sources'),
  ];
  return sources.some((each) => {
    const path = fieldAt(each, 'path');
    if (typeof path !== 'string') return false;
    const folders = fieldAt(each, 'plugin') === undefined ? [folder] : [folder, source];
    if (!path.includes('{{')) return folders.some((name) => isAround(path, name));
    const globs = directoriesOf(fieldAt(application.object, 'spec', 'generators'));
    if (globs.length === 0 || !/^\{\{ *\.?path(?:\.path)? *\}\}$/.test(path.trim()))
      return folders.some((name) => matches(path.replaceAll(/\{\{.*?\}\}/g, '*'), name));
    const [left, included] = [true, false].map((exclude) => globs.filter((glob) => glob.exclude === exclude));
    return folders.some(
      (name) =>
        included?.some((glob) => matches(glob.path, name)) === true &&
        left?.some((glob) => matches(glob.path, name)) !== true,
    );
  });
}

interface DirectoryGlob {
  readonly path: string;
  readonly exclude: boolean;
}

/** Returns the directories of the Git generators, also of those inside of other generators. */
function directoriesOf(generators: unknown): readonly DirectoryGlob[] {
  if (isJsonList(generators)) return generators.flatMap(directoriesOf);
  if (!isJsonMap(generators)) return [];
  const { git, ...others } = generators;
  const directories = listAt(git, 'directories').flatMap((directory): DirectoryGlob[] => {
    const path = fieldAt(directory, 'path');
    return typeof path === 'string' ? [{ path, exclude: fieldAt(directory, 'exclude') === true }] : [];
  });
  return [...directories, ...Object.values(others).flatMap(directoriesOf)];
}

/** Whether a folder matches a pattern of Go's `path.Match`, as far as generators use it: `*` and `?` match no slash. */
function matches(glob: string, folder: string): boolean {
  const escaped = plainPath(glob).replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\*+/g, '[^/]*').replaceAll('?', '[^/]')}$`).test(folder);
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
          ? 'add packaging/gitops/openshift-gitops.yaml of the package to the ArgoCD object: its operator writes the ConfigMap'
          : `\`kubectl -n ${namespace} patch configmap argocd-cm --patch-file node_modules/fleetwright/packaging/gitops/argocd-cm.yaml\``,
      ),
    );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}
