import type { Construct } from 'constructs';
import { defined, unlessEmpty } from './defined.ts';
import type { RemediationAction } from './policy-api.ts';
import type { PolicyDependency } from './policy-dependency.ts';
import type { SelectorLike } from './selector.ts';
import { toLabelSelector } from './selector.ts';
import { Workload, type WorkloadBuilder } from './workload.ts';

/** How a template of a Policy is applied. */
export interface PolicyTemplateOptions {
  /**
   * The dependencies of this template, in addition to those of the Policy: `extraDependencies`.
   *
   * @default - none
   */
  readonly extraDependencies?: readonly PolicyDependency[];

  /**
   * Whether the Policy can be Compliant while this template waits for a dependency: `ignorePending`.
   *
   * @default false
   */
  readonly ignorePending?: boolean;
}

/** The namespaces in which objects without a namespace are compared. */
export interface NamespaceTarget {
  /**
   * Names or patterns such as `team-*`.
   *
   * @default - all that the labels select
   */
  readonly include?: readonly string[];

  /**
   * Names or patterns that are left out, such as `kube-*`.
   *
   * @default - none
   */
  readonly exclude?: readonly string[];

  /**
   * Selects namespaces by labels.
   *
   * @default - any labels
   */
  readonly labels?: SelectorLike;
}

/** One object that a ConfigurationPolicy compares, as Kubernetes writes it. */
export interface ObjectTemplate {
  /** Whether the cluster must have the fields, exactly these fields, or no such object. */
  readonly complianceType: 'musthave' | 'mustonlyhave' | 'mustnothave';

  /** The object, or the part of it that is compared. Without a name, all objects of its kind. Texts can have templates. */
  readonly objectDefinition: object;

  /**
   * How labels and annotations are compared.
   *
   * @default - as `complianceType`
   */
  readonly metadataComplianceType?: 'musthave' | 'mustonlyhave';

  /**
   * When the object is deleted and created again instead of updated.
   *
   * @default 'None'
   */
  readonly recreateOption?: 'None' | 'IfRequired' | 'Always';

  /**
   * Where the difference is recorded.
   *
   * @default - 'InStatus', or 'None' for kinds with sensitive content
   */
  readonly recordDiff?: 'Log' | 'InStatus' | 'None';

  /**
   * Selects the objects by labels if the object has no name.
   *
   * @default - all objects of the kind
   */
  readonly objectSelector?: SelectorLike;
}

/** What a ConfigurationPolicy compares on clusters, and what it does with differences. */
export interface ConfigurationPolicyProps extends PolicyTemplateOptions {
  /**
   * Whether differences are only reported, or corrected. The `remediationAction` of the Policy overrides it.
   *
   * @default - the one of the Policy
   */
  readonly remediationAction?: RemediationAction;

  /**
   * How severe a difference is.
   *
   * @default - none
   */
  readonly severity?: 'low' | 'medium' | 'high' | 'critical';

  /**
   * The objects whose fields the cluster must have.
   *
   * @default - none
   */
  readonly mustHave?: WorkloadBuilder;

  /**
   * The objects that the cluster must have with exactly these fields.
   *
   * @default - none
   */
  readonly mustOnlyHave?: WorkloadBuilder;

  /**
   * The objects that the cluster must not have.
   *
   * @default - none
   */
  readonly mustNotHave?: WorkloadBuilder;

  /**
   * Further objects, each with its own options: `object-templates`.
   *
   * @default - none
   */
  readonly objectTemplates?: readonly ObjectTemplate[];

  /**
   * A Go template that produces the list of objects on each cluster: `object-templates-raw`. It excludes the other objects.
   *
   * @default - none
   */
  readonly objectTemplatesRaw?: string;

  /**
   * The namespaces of objects without a namespace: `namespaceSelector`.
   *
   * @default - none: every namespaced object has its namespace
   */
  readonly namespaces?: NamespaceTarget;

  /**
   * Which objects are deleted with the policy, or after they left it.
   *
   * @default 'None'
   */
  readonly pruneObjectBehavior?: 'None' | 'DeleteIfCreated' | 'DeleteAll';

  /**
   * How long a result is valid, such as '1h', 'never' or 'watch'.
   *
   * @default - 'watch' for both
   */
  readonly evaluationInterval?: { readonly compliant?: string; readonly noncompliant?: string };

  /**
   * Go templates of the messages about the compliance.
   *
   * @default - the messages of the controller
   */
  readonly customMessage?: { readonly compliant?: string; readonly noncompliant?: string };
}

const builders = [
  ['musthave', 'mustHave'],
  ['mustonlyhave', 'mustOnlyHave'],
  ['mustnothave', 'mustNotHave'],
] as const;

interface Built {
  readonly complianceType: ObjectTemplate['complianceType'];
  readonly workload: Workload;
}

/** The ConfigurationPolicy of one Policy. Its workloads are built once. */
export class Configuration {
  private readonly props: ConfigurationPolicyProps;
  private readonly built: readonly Built[];

  constructor(props: ConfigurationPolicyProps, policy: Construct, name: string) {
    this.props = props;
    this.built = builders.flatMap(([complianceType, property]): Built[] => {
      const build = props[property];
      if (build === undefined) return [];
      const workload = new Workload(policy, name, undefined);
      build(workload);
      return [{ complianceType, workload }];
    });
  }

  /** Returns the `spec` as written in the manifest. */
  toSpec(): object {
    const { remediationAction, severity, namespaces, objectTemplates = [], objectTemplatesRaw } = this.props;
    const { pruneObjectBehavior, evaluationInterval, customMessage } = this.props;
    const built = this.built.flatMap(({ complianceType, workload }) =>
      workload.manifests().map((objectDefinition) => ({ complianceType, objectDefinition })),
    );
    return defined({
      remediationAction,
      severity,
      namespaceSelector: namespaces && toTarget(namespaces),
      pruneObjectBehavior,
      evaluationInterval,
      customMessage,
      'object-templates': unlessEmpty([...built, ...objectTemplates.map(toObjectTemplate)]),
      'object-templates-raw': objectTemplatesRaw,
    });
  }

  faults(): string[] {
    const { objectTemplates = [], objectTemplatesRaw, namespaces } = this.props;
    const hasObjects = objectTemplates.length > 0 || this.built.some(({ workload }) => !workload.isEmpty);
    const faults = this.built.flatMap(({ workload }) => workload.faults());
    if (!hasObjects && objectTemplatesRaw === undefined) faults.push('it has no objects, and checks nothing');
    if (hasObjects && objectTemplatesRaw !== undefined)
      faults.push('it has both objects and objectTemplatesRaw, of which the controller accepts only one');
    if (namespaces !== undefined && namespaces.include === undefined && namespaces.labels === undefined)
      faults.push('its namespaces have neither include nor labels, so that it selects none');
    return faults;
  }
}

function toTarget({ include, exclude, labels }: NamespaceTarget): object {
  return defined({ include, exclude, ...(labels && toLabelSelector(labels)) });
}

function toObjectTemplate({ objectSelector, ...others }: ObjectTemplate): object {
  return { ...others, ...(objectSelector && { objectSelector: toLabelSelector(objectSelector) }) };
}
