import { groupBy } from '../../base/collections/groups.ts';
import type { GitOpsEngine } from '../check/overrides/pruned-overrides.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { counted, listed } from '../model/words.ts';
import type { AppObjectChange, Plan } from './plan.ts';

/** What an engine does with an object that another Application or Kustomization begins to apply. */
const effects: Readonly<Record<Exclude<GitOpsEngine, 'none'>, string>> = {
  argocd:
    'the Application of the one deletes them, and that of the other creates them again, in any order: add-ons are uninstalled in between',
  flux: 'Kustomizations of the one app delete them, and those of the other create them again; Kustomizations of all apps together keep them',
};

/** The maximum number of objects that are named. */
const namedObjects = 3;

/** Reports objects that leave one app and appear in another: a renamed folder, or an object that was moved. */
export function movedObjects({ objects }: Pick<Plan, 'objects'>, engine: GitOpsEngine): Diagnostic[] {
  if (engine === 'none') return [];
  const ofApps = objects.filter(({ source, app }) => source === 'app' && app !== '');
  const added = groupBy(
    ofApps.filter(({ change }) => change === 'added'),
    identityOf,
  );
  const pairs = groupBy(
    ofApps.flatMap((object) => {
      if (object.change !== 'removed') return [];
      const to = added.get(identityOf(object))?.find(({ app }) => app !== object.app);
      return to === undefined ? [] : [{ from: object.app, to: to.app, object: object.object }];
    }),
    ({ from, to }) => JSON.stringify([from, to]),
  );
  return [...pairs.values()].flatMap((moved): Diagnostic[] => {
    const [first] = moved;
    if (first === undefined) return [];
    const { from, to } = first;
    const names = listed(moved.slice(0, namedObjects).map(({ object }) => object));
    const more = moved.length - namedObjects;
    return [
      diagnostic('FW8062', {
        message: `${counted(moved.length, 'object')} of app "${from}" ${moved.length === 1 ? 'moves' : 'move'} to app "${to}" (${names}${more > 0 ? `, and ${more} more` : ''}): ${effects[engine]}`,
        hint: `keep the folder of app "${from}", or hand the objects over as docs/gitops.md describes ("Rename an app")`,
      }),
    ];
  });
}

function identityOf({ apiVersion, kind, namespace = '', name }: AppObjectChange): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/', 1) : [''];
  return JSON.stringify([group, kind, namespace, name]);
}
