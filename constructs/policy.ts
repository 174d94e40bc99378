import type { Construct } from 'constructs';
import { checkProps } from './check-properties.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import type { IPolicy, PolicyReference, RemediationAction } from './policy-api.ts';
import { policyApiVersion } from './policy-api.ts';
import { dependencyFaults, type PolicyDependency } from './policy-dependency.ts';
import type { BoundTemplate, PolicyTemplate } from './policy-template.ts';

/** What a Policy delivers to clusters, and what is done there. */
export interface PolicyProps extends NamespacedObjectProps {
  /** The objects that the clusters get: `policy-templates`. */
  readonly templates: readonly PolicyTemplate[];

  /**
   * Whether differences are only reported, or corrected. It overrides the `remediationAction` of the templates. A
   * PlacementBinding can override 'inform' on some clusters.
   *
   * @default - each template has its own
   */
  readonly remediationAction?: RemediationAction;

  /**
   * Whether the Policy is removed from all clusters.
   *
   * @default false
   */
  readonly disabled?: boolean;

  /**
   * What must have a compliance on the cluster before any template is applied there.
   *
   * @default - none
   */
  readonly dependencies?: readonly PolicyDependency[];

  /**
   * Whether the copies of the Policy have its labels and annotations. Argo CD tracks objects by them, so that `false` is better with
   * Argo CD.
   *
   * @default true
   */
  readonly copyPolicyMetadata?: boolean;

  /**
   * The ServiceAccount in the namespace of the Policy that reads objects for hub templates (`{{hub … hub}}`):
   * `hubTemplateOptions.serviceAccountName`.
   *
   * @default - hub templates only read the namespace of the Policy and the ManagedCluster
   */
  readonly hubTemplateServiceAccount?: string;
}

/** The maximum length of `namespace.name`, which is the name of the copies of a Policy. */
const longestName = 63;

/**
 * Delivers policies to clusters: objects that a policy engine there compares with the cluster. A PlacementBinding decides which
 * clusters get it.
 *
 * @example
 * const etcd = new Policy(chart, 'etcd-encryption', {
 *   remediationAction: 'inform',
 *   templates: [
 *     PolicyTemplate.configuration('etcd-encryption', {
 *       severity: 'high',
 *       mustHave: (workload) => {
 *         new ApiObject(workload, 'apiserver', {
 *           apiVersion: 'config.openshift.io/v1',
 *           kind: 'APIServer',
 *           metadata: { name: 'cluster' },
 *           spec: { encryption: { type: 'aescbc' } },
 *         });
 *       },
 *     }),
 *   ],
 * });
 * const everywhere = new Placement(chart, 'everywhere');
 * new PlacementBinding(chart, 'etcd', { placement: everywhere, subjects: [etcd] });
 *
 * @see https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/policy-framework/
 */
export class Policy extends NamespacedObject implements IPolicy {
  /** Returns a reference to a Policy that is defined elsewhere. */
  static reference(namespace: string, name: string): IPolicy {
    return { policyReference: { namespace, name } };
  }

  /** Whether differences are only reported, or corrected; `undefined` if each template has its own. */
  readonly remediationAction: RemediationAction | undefined;
  /** Whether the Policy is removed from all clusters. */
  readonly disabled: boolean;

  private readonly settings: PolicyProps;
  private readonly templates: BoundTemplate[];
  private readonly dependencies: PolicyDependency[];

  constructor(scope: Construct, id: string, props: PolicyProps) {
    checkProps({ Policy }, new.target, scope, id, props);
    super(scope, id, { apiVersion: policyApiVersion, kind: 'Policy' }, props);
    this.settings = props;
    this.remediationAction = props.remediationAction;
    this.disabled = props.disabled ?? false;
    this.templates = props.templates.map((template) => template.bind(this));
    this.dependencies = [...(props.dependencies ?? [])];
  }

  get policyReference(): PolicyReference {
    return { namespace: this.namespace, name: this.name };
  }

  /** Delivers another object. */
  addTemplate(template: PolicyTemplate): void {
    this.templates.push(template.bind(this));
  }

  /** Waits for something else on the cluster, too. */
  addPolicyDependency(dependency: PolicyDependency): void {
    this.dependencies.push(dependency);
  }

  /** @internal */
  protected override toSpec(): object {
    const { copyPolicyMetadata, hubTemplateServiceAccount } = this.settings;
    return defined({
      disabled: this.disabled,
      remediationAction: this.remediationAction,
      copyPolicyMetadata,
      hubTemplateOptions:
        hubTemplateServiceAccount === undefined
          ? undefined
          : { serviceAccountName: hubTemplateServiceAccount },
      dependencies: unlessEmpty(this.dependencies.map(({ dependency }) => dependency)),
      'policy-templates': this.templates.map((template) => template.toTemplate()),
    });
  }

  protected override faults(): string[] {
    const faults = [...super.faults(), ...dependencyFaults(this.dependencies, this)];
    const copy = `${this.namespace}.${this.name}`;
    if (copy.length > longestName)
      faults.push(
        `the copies of Policy '${this.name}' would be named '${copy}', which has more than ${longestName} characters: use a shorter name or namespace`,
      );
    if (this.templates.length === 0)
      faults.push(`Policy '${this.name}' has no templates, and delivers nothing`);
    const names = this.templates.map(({ name }) => name);
    for (const name of new Set(names.filter((each, index) => names.indexOf(each) !== index)))
      faults.push(
        `Policy '${this.name}' has several templates named '${name}', of which clusters apply none: names are unique across kinds`,
      );
    return [...faults, ...this.templates.flatMap((template) => template.faults())];
  }
}
