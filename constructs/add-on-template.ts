import type { Construct } from 'constructs';
import type { AddOnTemplateV1alpha1Spec } from '../schemas/types.gen.ts';
import type { IAddOnConfig } from './add-on-config.ts';
import { defined, unlessEmpty } from './defined.ts';
import { sharedWithAnnotation } from '../src/ocm/fleetwright-annotations.ts';
import type { ManifestConfig } from './manifest-config.ts';
import type { ResourceReference } from './named-object.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { Registration } from './registration.ts';
import type { RevisionProps } from './revision.ts';
import type { WorkloadBuilder } from './workload.ts';
import { Workload } from './workload.ts';
import { addOnGroup } from '../schemas/groups.ts';
import { defaultInstallNamespace } from '../src/ocm/install-namespace.ts';
import { checkProps } from './check-properties.ts';

/** The content of a template. */
export interface AddOnTemplateProps extends ObjectProps, RevisionProps {
  /** The add-on that the template belongs to. */
  readonly addonName: string;

  /**
   * Other add-ons that may use the template with compiled delivery: their agents get its permissions and
   * certificates. The companion rejects the template for all other add-ons. Add-ons with hub delivery need no entry.
   *
   * @default - none
   */
  readonly sharedWith?: readonly string[];

  /**
   * Creates the objects that are delivered to the clusters, with cdk8s-plus or as ApiObjects. Objects are named after
   * their ids, and do not belong to the chart.
   */
  readonly workload: WorkloadBuilder;

  /**
   * The namespace on the clusters for objects of the workload without a namespace. An AddOnDeploymentConfig can move
   * the objects, see its `agentInstallNamespace`. By default both have the same value.
   *
   * @default 'open-cluster-management-agent-addon'
   */
  readonly workloadNamespace?: string;

  /**
   * The credentials of the agent. An empty list differs from no list: with an empty list, the hub still sets the path
   * of the kubeconfig in the agent's environment.
   *
   * @default - none
   */
  readonly registration?: readonly Registration[];

  /**
   * How objects of the workload are applied, and what is reported about them. `addManifestConfig` of the workload
   * adds to this list. The hub takes it from the add-on's default template, also for clusters with another template.
   *
   * @default - none
   */
  readonly manifestConfigs?: readonly ManifestConfig[];
}

/**
 * The agent of an add-on, as manifests with variables. An add-on with a template needs no manager.
 *
 * @example
 * const template = new AddOnTemplate(chart, 'hello-1.2.0', {
 *   addonName: 'hello',
 *   workload: (workload) => {
 *     new ApiObject(workload, 'settings', {
 *       apiVersion: 'v1',
 *       kind: 'ConfigMap',
 *       metadata: { name: 'settings' },
 *       data: { cluster: '{{CLUSTER_NAME}}' },
 *     });
 *   },
 *   registration: [Registration.kubeClient()],
 * });
 * new ClusterManagementAddOn(chart, 'hello', { defaultConfigs: [template] });
 *
 * @see
 * https://open-cluster-management.io/docs/developer-guides/addon/#using-addontemplate-to-create-an-add-on
 */
export class AddOnTemplate extends OcmObject implements IAddOnConfig {
  /** The API group, for `AddOnConfig.supported(AddOnTemplate)`. */
  static readonly group = addOnGroup;

  /** The plural name of the kind in the API. */
  static readonly resource = 'addontemplates';

  /** The add-on that the template belongs to. */
  readonly addonName: string;

  /** The scope of the objects that are delivered to the clusters. */
  readonly workload: Workload;

  private registrations: Registration[] | undefined;
  private readonly manifestConfigs: readonly ManifestConfig[];

  constructor(scope: Construct, id: string, props: AddOnTemplateProps) {
    checkProps({ AddOnTemplate }, new.target, scope, id, props);
    super(
      scope,
      id,
      { apiVersion: 'addon.open-cluster-management.io/v1alpha1', kind: 'AddOnTemplate' },
      props.sharedWith === undefined
        ? props
        : { ...props, annotations: { ...props.annotations, ...sharedWithAnnotations(props.sharedWith) } },
    );
    this.addonName = props.addonName;
    this.registrations = props.registration && [...props.registration];
    this.manifestConfigs = props.manifestConfigs ?? [];
    const namespace = props.workloadNamespace ?? defaultInstallNamespace;
    this.workload = new Workload(this, props.addonName, namespace);
    props.workload(this.workload);
  }

  get configReference(): ResourceReference {
    const { group, resource } = AddOnTemplate;
    return { group, resource, name: this.emittedName };
  }

  /** Adds a credential of the agent. */
  addRegistration(registration: Registration): void {
    this.registrations = [...(this.registrations ?? []), registration];
  }

  protected override faults(): string[] {
    return [...super.faults(), ...this.workload.faults()];
  }

  /** @internal */
  protected override toSpec(): AddOnTemplateV1alpha1Spec {
    const manifestConfigs = [...this.manifestConfigs, ...this.workload.manifestConfigs].map(
      ({ config }) => config,
    );
    return defined({
      addonName: this.addonName,
      agentSpec: defined({
        workload: { manifests: this.workload.manifests() },
        manifestConfigs: unlessEmpty(manifestConfigs),
      }),
      registration: this.registrations?.map(({ registration }) => registration),
    });
  }
}

function sharedWithAnnotations(addOns: readonly string[]): Readonly<Record<string, string>> {
  return addOns.length === 0 ? {} : { [sharedWithAnnotation]: addOns.join('\n') };
}
