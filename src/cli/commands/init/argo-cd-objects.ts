import type { AppliedRepository } from './applied-repository.ts';
import { yamlString } from '../../yaml-string.ts';

/** Returns an ApplicationSet of Argo CD with one Application per app, or per hub and app. */
export function applicationSet({ name, origin, hubs }: AppliedRepository): string {
  const { url, branch, prefix } = origin;
  const isOneHub = hubs.length < 2;
  // The segments of the path are counted from 0: those above dist/, dist, the hub, the app.
  const hub = `{{index .path.segments ${prefix.split('/').length}}}`;
  return `# Argo CD: one Application per folder ${isOneHub ? 'dist/APP' : 'dist/HUB/APP'}, which it keeps applied to ${isOneHub ? 'the hub' : 'that hub'}. Apply once: a new app needs no further object.${isOneHub ? '' : '\n# Each hub is a cluster of Argo CD with the name that it has in fleetwright.yaml.'}
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: ${yamlString(name)}
  namespace: argocd
spec:
  goTemplate: true
  # A missing value is an error, not an empty text.
  goTemplateOptions: [missingkey=error]
  generators:
    - git:
        repoURL: ${yamlString(url)}
        revision: ${yamlString(branch)}
        directories:
          - path: ${yamlString(`${prefix}dist/*${isOneHub ? '' : '/*'}`)}
  template:
    metadata:
      name: '${isOneHub ? '' : `${hub}-`}{{.path.basename}}'
      # If the folder of an app leaves Git, Argo CD deletes its objects from the hub. A plan shows this first.
      finalizers: [resources-finalizer.argocd.argoproj.io/background]
    spec:
      project: default
      source:
        repoURL: ${yamlString(url)}
        targetRevision: ${yamlString(branch)}
        path: '{{.path.path}}'
      destination:
        ${isOneHub ? 'server: https://kubernetes.default.svc' : `name: '${hub}'`}
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
