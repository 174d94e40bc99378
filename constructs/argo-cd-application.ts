import type { Construct } from 'constructs';
import { defined, unlessEmpty } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';

/** Which folder an Application applies, where to, and how. */
export interface ArgoCdApplicationTemplate {
  /** The address of the repository. */
  readonly repoUrl: string;

  /** The folder in it, such as `dist/helloworld`. */
  readonly path: string;

  /**
   * A branch, tag or commit.
   *
   * @default 'HEAD'
   */
  readonly targetRevision?: string;

  /**
   * The name of the AppProject.
   *
   * @default 'default'
   */
  readonly project?: string;

  /**
   * The hub, as Argo CD knows it: an address, or the name that it has there. And the namespace of objects that name none.
   *
   * @default - the cluster that Argo CD runs on
   */
  readonly destination?: ArgoCdDestination;

  /**
   * Whether Argo CD applies changes by itself: it prunes what leaves the folder, and reverts changes made on the hub.
   *
   * @default true
   */
  readonly automated?: boolean;

  /**
   * Further options of the sync, in addition to `ServerSideApply=true` and `PrunePropagationPolicy=background`. With
   * foreground propagation a deleted ClusterManagementAddOn waits for its ManagedClusterAddOns, which the hub creates again
   * meanwhile. Do not add `PruneLast=true`: the sync would wait for the end of every rollout, and block later commits.
   *
   * @default - none
   */
  readonly syncOptions?: readonly string[];

  /**
   * Differences that do not count.
   *
   * @default - none
   * @see https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/
   */
  readonly ignoreDifferences?: readonly ArgoCdIgnoredDifference[];
}

/** A cluster as Argo CD knows it: by its address or by its name. */
export interface ArgoCdDestination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Fields of a kind in which the hub may differ. */
export interface ArgoCdIgnoredDifference {
  readonly group?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
  readonly managedFieldsManagers?: readonly string[];
}

/** An Application, and where it lives. */
export interface ArgoCdApplicationProps extends NamespacedObjectProps, ArgoCdApplicationTemplate {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;
}

/**
 * Applies a folder by Argo CD.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#applications
 */
export class ArgoCdApplication extends NamespacedObject {
  private readonly template: ArgoCdApplicationTemplate;

  constructor(scope: Construct, id: string, props: ArgoCdApplicationProps) {
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.template = props;
  }

  protected override toSpec(): object {
    return applicationSpec(this.template);
  }

  protected override faults(): string[] {
    return [...super.faults(), ...destinationFaults(`Application '${this.name}'`, this.template.destination)];
  }
}

const retry = { limit: -1, refresh: true, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } };

/**
 * The finalizer with which deleting an Application deletes its objects. In the background, so that the
 * ClusterManagementAddOn goes before its ManagedClusterAddOns.
 */
export const backgroundFinalizer = 'resources-finalizer.argocd.argoproj.io/background';

/** The `spec` of an Application. */
export function applicationSpec(template: ArgoCdApplicationTemplate): object {
  const { repoUrl, path, targetRevision = 'HEAD', project = 'default', automated = true } = template;
  const { server, name, namespace } = template.destination ?? {};
  const isNamed = server !== undefined || name !== undefined;
  return defined({
    project,
    source: { repoURL: repoUrl, targetRevision, path },
    destination: defined({
      server: isNamed ? server : 'https://kubernetes.default.svc',
      name,
      namespace,
    }),
    syncPolicy: defined({
      automated: automated ? { prune: true, selfHeal: true } : undefined,
      // A sync that failed is retried with the latest commit until it succeeds: otherwise Argo CD gives up after five times.
      retry: automated ? retry : undefined,
      syncOptions: [
        'ServerSideApply=true',
        'PrunePropagationPolicy=background',
        ...(template.syncOptions ?? []),
      ],
    }),
    ignoreDifferences: unlessEmpty(template.ignoreDifferences ?? []),
  });
}

/** What is wrong with where something goes. */
export function destinationFaults(what: string, destination: ArgoCdDestination = {}): string[] {
  return destination.server !== undefined && destination.name !== undefined
    ? [`${what} has a destination with both a server and a name`]
    : [];
}
