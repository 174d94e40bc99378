import type { GitOpsEngine } from '../check/overrides/pruned-overrides.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { objectsOfApp } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';

/** An app in two states. */
interface ComparedApp {
  readonly app: string;
  readonly base: Resolution;
  /** Whether only the earlier state has it. */
  readonly isRemoved: boolean;
}

/**
 * Returns a diagnostic for each removed app. Its folder that synth writes is removed too, and an engine that does not find its
 * path prunes nothing.
 */
export function removedApps(apps: readonly ComparedApp[], engine: GitOpsEngine): Diagnostic[] {
  if (engine === 'none') return [];
  const [name, source] = engine === 'argocd' ? ['Argo CD', 'Application'] : ['Flux', 'Kustomization'];
  return apps.flatMap(({ app, base, isRemoved }): Diagnostic[] => {
    const count = objectsOfApp(base.inventory).length;
    if (!isRemoved || count === 0) return [];
    return [
      diagnostic('FW8013', {
        message: `app "${app}" is removed: where ${name} no longer finds the path of its ${source}, it prunes nothing, and ${count === 1 ? 'the object stays' : `the ${count} objects stay`} on the hub`,
        hint:
          engine === 'argocd'
            ? `delete the Application together with its resources: \`argocd app delete ${app} --cascade --propagation-policy background\``
            : 'remove the Kustomizations of the app in the same change; with `prune: true` Flux then deletes what they applied',
      }),
    ];
  });
}
