import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ManagedClusterV1,
} from '../../../schemas/types.gen.ts';
import { isDeploymentConfig, isTemplate } from '../../ocm/referent.ts';
import { referenceRead } from '../configure/effective.ts';
import type { ConfigReference, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { objectKey, type Admitted, type ByKey, type Inventory } from '../model/inventory.ts';
import type { RenderFault } from './fault.ts';
import { imageRegistriesAnnotation } from './decoration/image-registries.ts';
import { addOnGroup } from '../../../schemas/groups.ts';

/** What of an add-on determines its inputs. */
type RenderedAddOn = Pick<ResolvedAddOn, 'name' | 'reads'>;

/** The inputs from which the hub renders an add-on on a cluster. */
export interface RenderInputs {
  /** A fault if the template does not exist or has no hash yet. */
  readonly template: Admitted<AddOnTemplateV1alpha1> | RenderFault;
  /** Undefined if the add-on uses none. */
  readonly config: Admitted<AddOnDeploymentConfigV1alpha1> | RenderFault | undefined;
  /** The cluster's image registries, as the annotation's text. */
  readonly annotation: string | undefined;
  /** Equal for equal inputs. */
  readonly key: string;
}

/**
 * Reads the inputs.
 *
 * @param addOn its name, and which of several references to one kind it reads
 */
export function readInputs(
  addOn: RenderedAddOn,
  references: readonly ConfigReference[],
  cluster: ManagedClusterV1 | undefined,
  inventory: Inventory,
): RenderInputs {
  const template = templateOf(addOn, references, inventory);
  const config = deploymentConfigOf(addOn, references, inventory);
  const annotation = cluster?.metadata.annotations?.[imageRegistriesAnnotation];
  const names = [template, config].map((input) => {
    if (input === undefined || 'error' in input) return input?.error ?? '';
    return objectKey(input.object.metadata.namespace, input.object.metadata.name ?? '');
  });
  return { template, config, annotation, key: [addOn.name, ...names, annotation ?? ''].join('\n') };
}

/** Returns the template that the references name. As OCM getDesiredAddOnTemplateInner. */
export function templateOf(
  { name, reads }: RenderedAddOn,
  references: readonly ConfigReference[],
  { addOnTemplates }: Inventory,
): Admitted<AddOnTemplateV1alpha1> | RenderFault {
  const reference = referenceRead({ references, reads }, isTemplate);
  if (reference === undefined) return { error: `addon ${name} template not found in status` };
  if (reference.specHash === '') return { error: `addon ${name} template desired spec hash is empty` };
  // The messages of OCM's lister for templates, and of the API server for configurations.
  return (
    find(addOnTemplates, reference) ?? { error: `addontemplate.${addOnGroup} "${reference.name}" not found` }
  );
}

/** Returns the configuration that the references name. As addon-framework GetDesiredAddOnDeploymentConfig. */
export function deploymentConfigOf(
  { name, reads }: RenderedAddOn,
  references: readonly ConfigReference[],
  { addOnDeploymentConfigs }: Inventory,
): Admitted<AddOnDeploymentConfigV1alpha1> | RenderFault | undefined {
  const reference = referenceRead({ references, reads }, isDeploymentConfig);
  if (reference === undefined) return undefined;
  if (reference.specHash === '')
    return { error: `addon ${name} deployment config desired spec hash is empty` };
  return (
    find(addOnDeploymentConfigs, reference) ?? {
      error: `addondeploymentconfigs.${addOnGroup} "${reference.name}" not found`,
    }
  );
}

function find<T>(objects: ByKey<T>, { namespace, name }: ConfigReference): Admitted<T> | undefined {
  return objects.get(objectKey(namespace, name));
}
