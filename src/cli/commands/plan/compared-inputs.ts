import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import type { LoadedObject, Source } from '../../../compiler/index.ts';
import { identityText } from '../../../compiler/model/elsewhere.ts';
import { nameByContent } from '../../../compiler/revisions/name-by-content.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { goJson } from '../../../base/json/go-json.ts';
import type { Inputs } from '../../../workspace/inputs/inputs.ts';

/** An app as it was read in both states; undefined for a state that does not have it. */
export interface ReadPair {
  readonly before: Inputs | undefined;
  readonly after: Inputs | undefined;
}

/**
 * Returns the objects, by `identityText`, that apps have in the earlier state and no app has in the later one. The
 * GitOps engine deletes them, whatever the snapshot of the later state contains.
 */
export function goneObjects(
  apps: readonly ReadPair[],
  hubs: { readonly base: HubVersion; readonly head: HubVersion },
): ReadonlySet<string> {
  const gone = new Set(apps.flatMap(({ before }) => identities(before, hubs.base)));
  for (const identity of apps.flatMap(({ after }) => identities(after, hubs.head))) gone.delete(identity);
  return gone;
}

function identities(inputs: Inputs | undefined, hub: HubVersion): readonly string[] {
  return identitiesOfAll(nameByContent(objectsOf(inputs, 'app'), hub).value.objects);
}

const identitiesOfAll = oncePerPart((part: readonly LoadedObject[]) =>
  part.flatMap(({ object }) => identitiesOf(object)),
);

/** Returns the identity of an object; nothing for an object without one. */
const identitiesOf = oncePer(({ apiVersion, kind, metadata }: LoadedObject['object']) => {
  // Nothing has been validated yet.
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata?.name !== 'string')
    return [];
  const { namespace, name } = metadata;
  return [
    identityText({
      group: groupOf(apiVersion),
      kind,
      name,
      ...(typeof namespace === 'string' && { namespace }),
    }),
  ];
});

/** Returns the objects of a source. */
export const ofSource: Readonly<
  Record<Source, (objects: readonly LoadedObject[]) => readonly LoadedObject[]>
> = {
  app: oncePerPart((part: readonly LoadedObject[]) => part.filter(({ source }) => source === 'app')),
  fleet: oncePerPart((part: readonly LoadedObject[]) => part.filter(({ source }) => source === 'fleet')),
};

/** Whether both states have the same objects of a source. */
export function areAlike({ before, after }: ReadPair, source: Source): boolean {
  const [earlier, later] = [before, after].map((inputs) => objectsOf(inputs, source));
  if (earlier === undefined || later === undefined || earlier.length !== later.length) return false;
  // An object that both states read from the same text is one object.
  return earlier.every(({ object }, index) => {
    const other = later[index]?.object;
    return object === other || goJson(object) === goJson(other ?? null);
  });
}

function objectsOf(inputs: Inputs | undefined, source: Source): readonly LoadedObject[] {
  return ofSource[source](inputs?.objects ?? []);
}
