import { waveAnnotation } from '../../ocm/annotations.ts';

/** Prefixes of the notes that tools write onto the objects that they apply. Nothing on the hub or on a cluster reads them. */
const prefixes = [
  'argocd.argoproj.io/',
  'config.kubernetes.io/',
  'helm.toolkit.fluxcd.io/',
  'internal.config.kubernetes.io/',
  'kubectl.kubernetes.io/',
  'kustomize.toolkit.fluxcd.io/',
];
const keys = new Set(['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by']);

/**
 * Keys that synth, and the tools that apply or build objects, write themselves. A difference in them is not an edit of the
 * object.
 */
const ownKeys = new Set([
  ...keys,
  waveAnnotation,
  'argocd.argoproj.io/instance',
  'argocd.argoproj.io/tracking-id',
  'helm.toolkit.fluxcd.io/name',
  'helm.toolkit.fluxcd.io/namespace',
  'kubectl.kubernetes.io/last-applied-configuration',
  'kustomize.toolkit.fluxcd.io/name',
  'kustomize.toolkit.fluxcd.io/namespace',
]);
const buildPrefixes = ['config.kubernetes.io/', 'internal.config.kubernetes.io/'];

type Texts = Readonly<Record<string, string>>;

/** The options with which synth protects objects from pruning, by annotation. Other options of these lists are the user's. */
const protection: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/sync-options': 'Prune=false',
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** Returns labels or annotations without those that tools write for themselves. */
export function withoutToolNotes(texts: Texts | undefined): Texts {
  const others = Object.entries(texts ?? {}).flatMap(([key, value]) => {
    if (ownKeys.has(key) || buildPrefixes.some((prefix) => key.startsWith(prefix))) return [];
    const option = protection[key];
    if (option === undefined) return [[key, value] as const];
    const rest = value.split(',').filter((each) => each.trim() !== option);
    return rest.length === 0 ? [] : [[key, rest.join(',')] as const];
  });
  return Object.fromEntries(others);
}

/** Returns labels or annotations without those that only tools read. */
export function withoutBookkeeping(texts: Texts | undefined): Texts {
  const others = Object.entries(texts ?? {}).filter(
    ([key]) => !keys.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  return Object.fromEntries(others);
}
