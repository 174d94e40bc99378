import { groupOf } from '../../../base/names/resource-name.ts';
import { plainPath } from './coverage.ts';
import { fieldAt, listAt, type SetupObject } from './setup.ts';

/** A folder of a repository that an object of an engine applies. */
export interface AppliedFolder {
  readonly setup: SetupObject;
  readonly folder: string;
  readonly at: readonly (string | number)[];
  /** The URL of the repository. Undefined if the object does not have it. */
  readonly url: string | undefined;
}

/** Returns the folders that objects of Argo CD and Flux apply. A Kustomization has the URL of its source, if that is among the objects. */
export function appliedFolders(objects: readonly SetupObject[]): readonly AppliedFolder[] {
  const repositories = repositoriesOf(objects);
  return objects.flatMap((each) => appliedBy(each, repositories));
}

/** The source that `flux bootstrap` creates: the repository that has the object. */
const bootstrapSource = 'flux-system';

/** Returns the URLs of Flux's sources by name. */
function repositoriesOf(objects: readonly SetupObject[]): ReadonlyMap<unknown, unknown> {
  return new Map(
    objects.flatMap(({ object }) =>
      object.kind === 'GitRepository'
        ? [[object.metadata.name, fieldAt(object, 'spec', 'url')] as const]
        : [],
    ),
  );
}

function appliedBy(
  setup: SetupObject,
  repositories: ReadonlyMap<unknown, unknown>,
): readonly AppliedFolder[] {
  const { apiVersion, kind } = setup.object;
  const group = groupOf(apiVersion);
  if (group === 'kustomize.toolkit.fluxcd.io' && kind === 'Kustomization') {
    const folder = fieldAt(setup.object, 'spec', 'path');
    const source = fieldAt(setup.object, 'spec', 'sourceRef', 'name');
    const url = repositories.get(source);
    if (typeof folder !== 'string' || (source !== bootstrapSource && typeof url !== 'string')) return [];
    return [
      {
        setup,
        folder: plainPath(folder),
        at: ['spec', 'path'],
        url: typeof url === 'string' ? url : undefined,
      },
    ];
  }
  if (group !== 'argoproj.io' || !['Application', 'ApplicationSet'].includes(kind)) return [];
  const spec = kind === 'Application' ? ['spec'] : ['spec', 'template', 'spec'];
  const places = [
    [...spec, 'source'],
    ...listAt(setup.object, ...spec, 'sources').map((_, index) => [...spec, 'sources', index]),
  ];
  return places.flatMap((place) => {
    const folder = fieldAt(setup.object, ...place, 'path');
    const url = fieldAt(setup.object, ...place, 'repoURL');
    const isPlugin = fieldAt(setup.object, ...place, 'plugin') !== undefined;
    if (typeof folder !== 'string' || isPlugin) return [];
    return [
      {
        setup,
        folder: plainPath(folder),
        at: [...place, 'path'],
        url: typeof url === 'string' ? url : undefined,
      },
    ];
  });
}
