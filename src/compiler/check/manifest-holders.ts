import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { ManifestOptions } from '../../ocm/clusters/manifest-options.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Admitted, Inventory } from '../model/inventory.ts';
import { writtenWorks, type WorkSpec } from './cluster/deliveries.ts';

/** An object of the app with manifests: a template, a ManifestWork or a ManifestWorkReplicaSet. */
export interface ManifestHolder {
  readonly holder: Admitted<Pick<KubernetesObject, 'apiVersion' | 'kind' | 'metadata'>>;
  readonly isTemplate: boolean;
  readonly options: ManifestOptions;
  /** The path of `options`. The manifests are in `workload.manifests` of it. */
  readonly optionsPath: FieldPath;
  readonly manifests: readonly JsonMap[];
}

/** Returns the objects of the app with manifests, as they are written: no variable has its value. */
export function* manifestHolders(
  inventory: Pick<Inventory, 'addOnTemplates' | 'others'>,
): Iterable<ManifestHolder> {
  for (const template of inventory.addOnTemplates.values()) {
    if (template.source !== 'app') continue;
    const options = template.object.spec.agentSpec as WorkSpec;
    const optionsPath = ['spec', 'agentSpec'];
    yield { holder: template, isTemplate: true, options, optionsPath, manifests: manifestsOf(options) };
  }
  for (const { work, spec, path } of writtenWorks(inventory)) {
    if (work.source !== 'app') continue;
    yield { holder: work, isTemplate: false, options: spec, optionsPath: path, manifests: manifestsOf(spec) };
  }
}

/** Returns the manifests, in their positions. */
function manifestsOf({ workload }: WorkSpec): readonly JsonMap[] {
  return (workload?.manifests ?? []).map((manifest) => (isJsonMap(manifest) ? manifest : {}));
}
