import { waveAnnotation } from '../api/annotations.ts';

/** What the tools that apply objects note on them for themselves: nobody on the hub or on a cluster reads it. */
const prefixes = [
  'argocd.argoproj.io/',
  'config.kubernetes.io/',
  'helm.toolkit.fluxcd.io/',
  'internal.config.kubernetes.io/',
  'kubectl.kubernetes.io/',
  'kustomize.toolkit.fluxcd.io/',
];
const keys = new Set(['app.kubernetes.io/instance', 'app.kubernetes.io/managed-by']);

/** What synth and the tools that apply or build objects write themselves, whatever people write: no edit of an object. */
const written = new Set([
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

/** Labels or annotations without those that tools write for themselves. */
export function withoutToolNotes(texts: Texts | undefined): Texts {
  const kept = Object.entries(texts ?? {}).filter(
    ([key]) => !written.has(key) && !buildPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  return Object.fromEntries(kept);
}

/** Labels or annotations without those that only tools read. */
export function withoutBookkeeping(texts: Texts | undefined): Texts {
  const kept = Object.entries(texts ?? {}).filter(
    ([key]) => !keys.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  return Object.fromEntries(kept);
}
