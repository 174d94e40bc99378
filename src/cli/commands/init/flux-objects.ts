import { stages, stagesBefore, stagesFolder, type Stage } from '../../../compiler/emit/sync-order.ts';
import type { AppliedRepository } from './applied-repository.ts';
import { yamlString } from '../../yaml-string.ts';

/**
 * Returns the source of the repository for Flux, and one Kustomization per stage for all apps.
 *
 * @param out - the folder of the apps of the hub, from the top of the workspace
 */
export function fluxObjects({ name, origin }: AppliedRepository, out: string): string {
  const { url, branch, prefix } = origin;
  const source = `# Flux on the hub: applies ${out} and keeps the hub in sync. Apply once: a new app needs no further object.
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: ${yamlString(name)}
  namespace: flux-system
spec:
  # With the checks of dependencies, a commit reaches the hub within a minute.
  interval: 30s
  url: ${yamlString(asUrl(url))}
${secretRef(name, asUrl(url))}  ref:
    branch: ${yamlString(branch)}
`;
  const kustomizations = stages.map((stage) => {
    const before = stagesBefore[stage].map((each) => `    - name: ${name}-${each}\n`);
    return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${name}-${stage}
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
    name: ${yamlString(name)}
  path: ${yamlString(`./${prefix}${out}/${stagesFolder}/${stage}`)}
${waiting(stage)}`;
  });
  return [source, ...kustomizations].join('---\n');
}

/**
 * Returns the kustomization that adds the health checks. Flux does not know OCM's kinds, and would consider each object ready as
 * soon as it exists.
 */
export function healthPatch(folder: string): string {
  return `# The Flux objects, with the health checks of OCM's kinds in every Kustomization. Apply once: kubectl apply -k ${folder}
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - apps.yaml
patches:
  - path: flux-health.yaml
    target: { group: kustomize.toolkit.fluxcd.io, kind: Kustomization }
`;
}

/** A repository behind SSH needs a key, which `flux create secret git` writes. */
function secretRef(name: string, url: string): string {
  if (!url.startsWith('ssh://')) return '';
  return `  # flux create secret git ${name} --url=${url}
  secretRef:
    name: ${yamlString(name)}
`;
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
