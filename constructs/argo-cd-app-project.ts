import type { Construct } from 'constructs';
import type { ArgoCdDestination } from './argo-cd-application.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';

/** A kind of the API; `*` stands for all. The core group is empty. */
export interface ArgoCdGroupKind {
  readonly group: string;
  readonly kind: string;
}

/** What the Applications of a project may do. */
export interface ArgoCdAppProjectProps extends NamespacedObjectProps {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * What the project is for.
   *
   * @default - none
   */
  readonly description?: string;

  /** The repositories that may be applied from; `*` stands for any text. */
  readonly sourceRepos: readonly string[];

  /**
   * Where to.
   *
   * @default - every namespace of the cluster that Argo CD runs on
   */
  readonly destinations?: readonly ArgoCdDestination[];

  /**
   * The kinds without namespaces that may be applied.
   *
   * @default - those of add-ons and cluster sets, and Namespace
   */
  readonly clusterResources?: readonly ArgoCdGroupKind[];

  /**
   * The kinds in namespaces that may be applied.
   *
   * @default - all
   */
  readonly namespacedResources?: readonly ArgoCdGroupKind[];
}

/** What an app of add-ons has outside namespaces. ManagedClusters and the hub itself are left to those who say so. */
const kindsOfAddOns: readonly ArgoCdGroupKind[] = [
  { group: '', kind: 'Namespace' },
  { group: 'addon.open-cluster-management.io', kind: 'AddOnTemplate' },
  { group: 'addon.open-cluster-management.io', kind: 'ClusterManagementAddOn' },
  { group: 'cluster.open-cluster-management.io', kind: 'ManagedClusterSet' },
];

/**
 * What Applications may do.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export class ArgoCdAppProject extends NamespacedObject {
  private readonly choices: ArgoCdAppProjectProps;

  constructor(scope: Construct, id: string, props: ArgoCdAppProjectProps) {
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.choices = props;
  }

  protected override toSpec(): object {
    const { description, sourceRepos, destinations, clusterResources, namespacedResources } = this.choices;
    return defined({
      description,
      sourceRepos,
      destinations: destinations ?? [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
      clusterResourceWhitelist: clusterResources ?? kindsOfAddOns,
      namespaceResourceWhitelist: namespacedResources,
    });
  }
}
