import { groupVersionKind, nameOf } from '../../../base/objects/object-identity.ts';
import { manifestLocationKey } from '../../../ocm/hosted-mode.ts';
import type { RenderFault } from '../fault.ts';
import { metadataOf, texts } from './hooks.ts';
import type { RenderedObject } from '../manifests.ts';

/** The objects of an add-on by the cluster that gets them. */
export interface LocatedObjects {
  readonly managed: readonly RenderedObject[];
  /** Empty if the add-on is not hosted. */
  readonly hosting: readonly RenderedObject[];
}

/**
 * Splits the objects of an add-on between the managed and the hosting cluster. As addon-framework's managedManifest and
 * hostingManifest with HostedModeEnabled: the location must be valid even if the add-on is not hosted, and only counts if it is.
 */
export function locateObjects(
  objects: readonly RenderedObject[],
  isHosted: boolean,
): LocatedObjects | RenderFault {
  const managed: RenderedObject[] = [];
  const hosting: RenderedObject[] = [];
  for (const rendered of objects) {
    const location = locationOf(rendered);
    if (typeof location !== 'string') return location;
    if (!isHosted || location === 'managed' || location === '') managed.push(rendered);
    else if (location === 'hosting') hosting.push(rendered);
  }
  return { managed, hosting };
}

/** As addon-framework GetHostedManifestLocation: the label counts if the annotation is absent or empty. */
function locationOf({ object, manifest }: RenderedObject): '' | 'managed' | 'hosting' | 'none' | RenderFault {
  const { annotations, labels } = metadataOf(object);
  const [annotated, labeled] = [annotations, labels].map((map) => texts(map)[manifestLocationKey]);
  const location = annotated === undefined || annotated === '' ? (labeled ?? '') : annotated;
  if (location === '' || location === 'managed' || location === 'hosting' || location === 'none')
    return location;
  const { kind } = groupVersionKind(object);
  return {
    error: `not supported manifest location: ${location}`,
    code: 'FW6039',
    path: ['spec', 'agentSpec', 'workload', ...(manifest === undefined ? [] : ['manifests', manifest])],
    hint: `write managed, hosting or none into ${manifestLocationKey} of ${kind} ${nameOf(object)}`,
  };
}
