import type { Construct } from 'constructs';
import type { ArgoCdDestination } from './argo-cd-application.ts';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import { addOnGroup, clusterGroup } from '../schemas/groups.ts';
import { checkProps } from './check-properties.ts';

/** A kind of the API; `*` matches all. The core group is empty. */
export interface ArgoCdGroupKind {
  readonly group: string;
  readonly kind: string;
}

/** The limits of the Applications of a project. */
export interface ArgoCdAppProjectProps extends NamespacedObjectProps {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * Description of the project.
   *
   * @default - none
   */
  readonly description?: string;

  /** The allowed source repositories; `*` matches any text. */
  readonly sourceRepos: readonly string[];

  /**
   * The allowed destinations.
   *
   * @default - every namespace of the cluster that Argo CD runs on
   */
  readonly destinations?: readonly ArgoCdDestination[];

  /**
   * The allowed cluster-scoped kinds.
   *
   * @default - those of add-ons and cluster sets, and Namespace
   */
  readonly clusterResources?: readonly ArgoCdGroupKind[];

  /**
   * The allowed namespaced kinds.
   *
   * @default - all
   */
  readonly namespacedResources?: readonly ArgoCdGroupKind[];
}

/** The cluster-scoped kinds of an app of add-ons. ManagedClusters and the hub itself must be allowed explicitly. */
const kindsOfAddOns: readonly ArgoCdGroupKind[] = [
  { group: '', kind: 'Namespace' },
  { group: addOnGroup, kind: 'AddOnTemplate' },
  { group: addOnGroup, kind: 'ClusterManagementAddOn' },
  { group: clusterGroup, kind: 'ManagedClusterSet' },
];

/**
 * The limits of Applications.
 *
 * @example
 * new ArgoCdAppProject(chart, 'add-ons', {
 *   sourceRepos: ['https://git.example.com/add-ons.git'],
 *   destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }],
 * });
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export class ArgoCdAppProject extends NamespacedObject {
  private readonly choices: ArgoCdAppProjectProps;

  constructor(scope: Construct, id: string, props: ArgoCdAppProjectProps) {
    checkProps({ ArgoCdAppProject }, new.target, scope, id, props);
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.choices = props;
  }

  /** @internal */
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
