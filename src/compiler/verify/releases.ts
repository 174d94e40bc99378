import type { HubVersionName } from '../../ocm/hub-version.ts';

/** What a hub shows of its release. */
export interface ReleaseSigns {
  /** The versions of the add-on kinds that it serves, by kind; undefined if they are unknown. */
  readonly addOnVersions: ReadonlyMap<string, readonly string[]> | undefined;
  /** The fields of the spec of Placements; undefined if they are unknown. */
  readonly placementFields: ReadonlySet<string> | undefined;
  /** The images of the ClusterManager. */
  readonly images: readonly string[];
  /** The products that report their versions. */
  readonly products: readonly Product[];
}

/** A product that contains OCM. */
export interface Product {
  readonly name: string;
  readonly version: string;
}

/** What a hub is, as far as it shows. */
export interface HubRelease {
  /** One name for each sign: "OCM 1.3.1 by the image of the ClusterManager". */
  readonly names: readonly string[];
  /** The OCM release; undefined if the hub shows none, or one that Fleetwright does not know. */
  readonly ocm: string | undefined;
}

/**
 * Returns the release of a hub. The tag of an image of the ClusterManager decides; the products name images by digest, and then the
 * CustomResourceDefinitions decide.
 */
export function releaseOf({ addOnVersions, placementFields, images, products }: ReleaseSigns): HubRelease {
  const [tagged] = images.flatMap((image) => /:v?(\d+\.\d+)(?:\.\d+)?(?:$|[-@])/.exec(image)?.[1] ?? []);
  const [version] = images.flatMap((image) => /:v?(\d+\.\d+(?:\.\d+)?)(?:$|[-@])/.exec(image)?.[1] ?? []);
  const byKinds = addOnVersions && releaseByKinds(addOnVersions, placementFields);
  return {
    names: [
      ...products.map(({ name, version: of }) => `${name} ${of}`),
      ...(version === undefined ? [] : [`OCM ${version} by the images of its ClusterManager`]),
      ...(byKinds === undefined ? [] : [`OCM ${byKinds.words} by its CustomResourceDefinitions`]),
    ],
    ocm: tagged ?? byKinds?.name,
  };
}

/**
 * Recognizes releases by what is new in their CustomResourceDefinitions: v1beta1 of the add-on kinds in 1.2, the sorting of Placements
 * in 1.3, v1beta1 of AddOnTemplates in 1.4.
 */
function releaseByKinds(
  versions: ReadonlyMap<string, readonly string[]>,
  placementFields: ReadonlySet<string> | undefined,
): { readonly name: HubVersionName | undefined; readonly words: string } | undefined {
  const addOns = versions.get('ClusterManagementAddOn');
  if (addOns === undefined) return undefined;
  if (versions.get('AddOnTemplate')?.includes('v1beta1') === true)
    return { name: '1.4', words: '1.4 or later' };
  if (!addOns.includes('v1beta1')) return { name: '1.1', words: '1.1 or earlier' };
  if (placementFields === undefined) return { name: undefined, words: '1.2 or 1.3' };
  const name = placementFields.has('sortBy') ? '1.3' : '1.2';
  return { name, words: name };
}
