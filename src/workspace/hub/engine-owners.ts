import { fieldAt, listAt } from '../../compiler/emit/engine-setup/setup.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { originOf } from '../git.ts';
import { emittedFolders } from '../output/output-folder.ts';
import type { Workspace } from '../workspace.ts';
import path from 'node:path';
import type { HubLists } from './hub-lists.ts';
import { unlessForbidden } from './unless-forbidden.ts';

/** The Applications of Argo CD and the Kustomizations of Flux on a hub, as owners of the objects that they apply. */
export class EngineOwners {
  /** Whether they apply the output of this workspace, by the names that `engineOf` returns. */
  readonly #isOurs: ReadonlyMap<string, boolean>;
  /** The engines of which the hub has the kind. */
  readonly #served: ReadonlySet<string>;
  readonly #apps: readonly string[];
  /** What the engines of this workspace list as applied by them, of all kinds. */
  readonly applied: readonly AppliedObject[];

  private constructor(
    isOurs: ReadonlyMap<string, boolean>,
    served: ReadonlySet<string>,
    apps: readonly string[],
    applied: readonly AppliedObject[],
  ) {
    this.#isOurs = isOurs;
    this.#served = served;
    this.#apps = apps;
    this.applied = applied;
  }

  /** @param unread - receives the kinds that the credentials do not allow to read */
  static async read(
    hub: HubLists,
    { root, settings }: Workspace,
    unread: Set<string>,
  ): Promise<EngineOwners> {
    const { prefix, url } = await originOf(root);
    const out = `${prefix}${settings.out}`;
    const appliesOutput = ({ spec }: KubernetesObject): boolean => {
      const sources = [fieldAt(spec, 'source'), ...listAt(spec, 'sources'), spec];
      return sources.some((source) => isOutput(source, out, url));
    };
    const isOurs = new Map<string, boolean>();
    const applied: AppliedObject[] = [];
    const served = new Set<string>();
    for (const [engine, group, kind] of engineKinds) {
      const resources = await unlessForbidden(hub.resourcesOf(group), () =>
        unread.add(`the kinds of ${group}`),
      );
      const resource = (resources ?? []).find((each) => each.kind === kind);
      if (resource === undefined) continue;
      const objects = await unlessForbidden(hub.list(resource), () => unread.add(resource.plural));
      if (objects === undefined) continue;
      served.add(engine);
      for (const object of objects) {
        const { name = '', namespace = '' } = object.metadata;
        const names = engine === 'flux' ? [`${namespace}/${name}`] : [name, `${namespace}_${name}`];
        const isOurOutput = appliesOutput(object);
        for (const each of names) isOurs.set(`${engine}:${each}`, isOurOutput);
        if (isOurOutput) applied.push(...(engine === 'flux' ? fluxInventory(object) : argoInventory(object)));
      }
    }
    const apps = await emittedFolders(path.join(root, settings.out));
    return new EngineOwners(isOurs, served, apps, applied);
  }

  /**
   * Whether an object is of this workspace, or nobody's any more: its Application or Kustomization is gone. If the engine runs
   * elsewhere, the name of the app decides.
   */
  isOurs(owner: string | undefined): boolean {
    if (owner === undefined) return false;
    const [engine = '', name = ''] = owner.split(':');
    if (this.#served.has(engine)) return this.#isOurs.get(owner) ?? true;
    const own = name.slice(name.indexOf('/') + 1);
    return this.#apps.some((app) => own === app || own.startsWith(`${app}-`));
  }
}

/** An object in the inventory of an Application or a Kustomization. */
export type AppliedObject = Pick<KubernetesObject, 'apiVersion' | 'kind'> & {
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

/** As Argo CD's ResourceStatus in `status.resources`. It also lists objects that the next sync creates. */
function argoInventory({ status }: KubernetesObject & { readonly status?: unknown }): AppliedObject[] {
  return listAt(status, 'resources').flatMap((entry) => {
    const [group, version, kind, namespace, name] = ['group', 'version', 'kind', 'namespace', 'name'].map(
      (field) => textAt(entry, field),
    );
    return inventoryEntry({ group, version, kind, namespace, name });
  });
}

/** As Flux's ResourceInventory: underscores are between the namespace, the name, the group and the kind of an id, and two replace a colon of the name. */
function fluxInventory({ status }: KubernetesObject & { readonly status?: unknown }): AppliedObject[] {
  return listAt(fieldAt(status, 'inventory'), 'entries').flatMap((entry) => {
    const id = /^([^_]*)_(.*)_([^_]*)_([^_]*)$/.exec(textAt(entry, 'id'));
    const [, namespace, name, group, kind] = id ?? [];
    return inventoryEntry({
      group,
      version: textAt(entry, 'v'),
      kind,
      namespace,
      name: name?.replaceAll('__', ':'),
    });
  });
}

function inventoryEntry(parts: {
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly kind: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}): AppliedObject[] {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = parts;
  if (version === '' || kind === '' || name === '') return [];
  const metadata = namespace === '' ? { name } : { name, namespace };
  return [{ apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata }];
}

function textAt(value: unknown, field: string): string {
  const text = fieldAt(value, field);
  return typeof text === 'string' ? text : '';
}

const engineKinds = [
  ['argocd', 'argoproj.io', 'Application'],
  ['flux', 'kustomize.toolkit.fluxcd.io', 'Kustomization'],
] as const;

/** Whether a source of an engine is the output folder, a folder in it or around it, in the same repository as far as that is known. */
function isOutput(source: unknown, out: string, url: string | undefined): boolean {
  const [folder, repository] = [fieldAt(source, 'path'), fieldAt(source, 'repoURL')];
  if (typeof folder !== 'string') return false;
  const plain = path.posix.normalize(folder).replace(/^\.?\/|\/$/g, '');
  const isFolder = plain === out || plain.startsWith(`${out}/`) || out.startsWith(`${plain}/`);
  if (!isFolder) return false;
  return typeof repository !== 'string' || url === undefined || nameOf(repository) === nameOf(url);
}

/** Returns the part of an address that is equal for https and ssh: `team/add-ons`. */
function nameOf(url: string): string {
  return url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
    .toLowerCase();
}
