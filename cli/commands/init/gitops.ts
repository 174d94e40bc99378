import type { Engine } from '../../../compiler/index.ts';
import { stages, stagesBefore, type Stage } from '../../../compiler/emit/sync-order.ts';
import { packagedFile } from '../../../workspace/packaged-file.ts';
import { appName } from './example-app.ts';
import { schemaPath } from '../../../workspace/settings-schema.ts';

/** The location from which an engine clones the repository. */
export interface Origin {
  /** An address to clone from. */
  readonly url: string;
  readonly branch: string;
  /** The folder of the new repository below the top, with a slash at its end; empty at the top. */
  readonly prefix: string;
}

/** Returns the objects to apply once to the hub, by the name of their file. */
export async function gitOpsFiles(engine: Engine, origin: Origin): Promise<ReadonlyMap<string, string>> {
  if (engine === 'none') return new Map();
  if (engine === 'argocd') return new Map([[gitOpsFile, argocd(origin)]]);
  return new Map([
    [gitOpsFile, flux(origin)],
    ['gitops/flux-health.yaml', await packagedFile('gitops/flux-health.yaml')],
    ['gitops/kustomization.yaml', fluxKustomization],
  ]);
}

/** Flux does not know OCM's kinds, and would consider each object ready as soon as it exists. */
const fluxKustomization = `# The Flux objects, with the health checks of OCM's kinds in every Kustomization. Apply once: kubectl apply -k gitops
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ${appName}.yaml
patches:
  - path: flux-health.yaml
    target: { group: kustomize.toolkit.fluxcd.io, kind: Kustomization }
`;

/** `fleetwright.yaml`: the engine, which `synth` reads. */
export function engineSetting(engine: Engine): string {
  return `# yaml-language-server: $schema=./node_modules/fleetwright/${schemaPath}
# The engine that applies dist/, which decides how the order is expressed: argocd, flux or none.
engine: ${engine}
`;
}

/** The file of the engine's objects. */
export const gitOpsFile = `gitops/${appName}.yaml`;

function argocd({ url, branch, prefix }: Origin): string {
  return `# Argo CD on the hub: applies dist/${appName} and keeps the hub in sync. Apply once. Each further app needs its own Application.
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
      # Objects that are removed from dist/ are deleted from the hub. A plan shows this first.
      prune: true
      selfHeal: true
    # A failed sync is retried with the latest commit until it succeeds. refresh needs Argo CD 3.1.
    retry:
      limit: -1
      refresh: true
      backoff: { duration: 10s, factor: 2, maxDuration: 3m }
    syncOptions:
      - ServerSideApply=true
      # The add-on is deleted before its ManagedClusterAddOns, which the hub would create again.
      - PrunePropagationPolicy=background
`;
}

function flux({ url, branch, prefix }: Origin): string {
  const source = `# Flux on the hub: applies dist/${appName} and keeps the hub in sync. Apply once. Each further app needs its own Kustomizations.
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: ${appName}
  namespace: flux-system
spec:
  # With the checks of dependencies, a commit reaches the hub within a minute.
  interval: 30s
  url: ${yamlString(asUrl(url))}
  ref:
    branch: ${yamlString(branch)}
`;
  const kustomizations = stages.map((stage) => {
    const before = stagesBefore[stage].map((name) => `    - name: ${appName}-${name}\n`);
    return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${appName}-${stage}
  namespace: flux-system
spec:
  interval: 10m
  retryInterval: 1m
  # Flux applies no later commit while it waits.
  timeout: 1m
${before.length === 0 ? '' : `  dependsOn:\n${before.join('')}`}  # Objects that are removed from dist/ are deleted from the hub. A plan shows this first.
  prune: true
  sourceRef:
    kind: GitRepository
    name: ${appName}
  path: ${yamlString(`./${prefix}dist/${appName}/${stage}`)}
${waiting(stage)}`;
  });
  return [source, ...kustomizations].join('---\n');
}

/** Converts an address to a URL: Flux reads no addresses such as git@github.com:team/add-ons.git. */
function asUrl(address: string): string {
  return address.replace(/^([\w.-]+@[\w.-]+):(?!\/)/, 'ssh://$1/');
}

function waiting(stage: Stage): string {
  return stage === 'add-ons' || stage === 'clusters'
    ? '  # A rollout can take days. It must not block the next commit.\n  wait: false\n'
    : '  wait: true\n';
}

/** Returns a YAML scalar: plain if YAML 1.1 reads the same string, otherwise quoted. */
function yamlString(text: string): string {
  return /^[a-z./][\w./@:-]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$|:$/i.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
