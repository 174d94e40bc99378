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

type Texts = Readonly<Record<string, string>>;

/** Labels or annotations without those that only tools read. */
export function withoutBookkeeping(texts: Texts | undefined): Texts {
  const kept = Object.entries(texts ?? {}).filter(
    ([key]) => !keys.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  return Object.fromEntries(kept);
}
