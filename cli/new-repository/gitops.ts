import { appName } from './example-app.ts';

/** What applies `dist/` to the hub. */
export const gitOpsEngines = ['argocd', 'flux', 'none'] as const;
export type GitOpsEngine = (typeof gitOpsEngines)[number];

/** Where an engine finds the repository. */
export interface Origin {
  /** An address to clone from. */
  readonly url: string;
  readonly branch: string;
  /** The folder of the new repository below the top, with a slash at its end; empty at the top. */
  readonly prefix: string;
}

/** The objects to apply once to the hub, by the name of their file. */
export function gitOpsFiles(engine: GitOpsEngine, origin: Origin): ReadonlyMap<string, string> {
  const texts = { argocd, flux, none: () => undefined };
  const text = texts[engine](origin);
  return new Map(text === undefined ? [] : [[gitOpsFile, text]]);
}

/** Where the engine's objects stand. */
export const gitOpsFile = `gitops/${appName}.yaml`;

function argocd({ url, branch, prefix }: Origin): string {
  return `# Argo CD, on the hub: keeps the hub as dist/${appName} says. Apply it once; each further app gets one of its own.
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${appName}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: ${yamlString(url)}
    targetRevision: ${yamlString(branch)}
    path: ${yamlString(`${prefix}dist/${appName}`)}
  destination:
    server: https://kubernetes.default.svc
    namespace: ${appName}
  syncPolicy:
    automated:
      # What leaves dist/ leaves the hub: a plan tells it first.
      prune: true
      selfHeal: true
    syncOptions:
      - ServerSideApply=true
`;
}

function flux({ url, branch, prefix }: Origin): string {
  return `# Flux, on the hub: keeps the hub as dist/${appName} says. Apply it once; each further app gets a Kustomization of its own.
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: ${appName}
  namespace: flux-system
spec:
  interval: 1m
  url: ${yamlString(url)}
  ref:
    branch: ${yamlString(branch)}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${appName}
  namespace: flux-system
spec:
  interval: 10m
  # What leaves dist/ leaves the hub: a plan tells it first.
  prune: true
  sourceRef:
    kind: GitRepository
    name: ${appName}
  path: ${yamlString(`./${prefix}dist/${appName}`)}
`;
}

/** As it stands where a reader of YAML 1.1 sees the same string, else quoted. */
function yamlString(text: string): string {
  return /^[a-z./][\w./@:-]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$|:$/i.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
