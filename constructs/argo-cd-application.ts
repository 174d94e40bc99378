import type { Construct } from 'constructs';
import { defined, unlessEmpty } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** The source, destination and sync options of an Application. */
export interface ArgoCdApplicationTemplate {
  /** URL of the repository. */
  readonly repoUrl: string;

  /** Folder in the repository, such as `dist/helloworld`. */
  readonly path: string;

  /**
   * A branch, tag or commit.
   *
   * @default 'HEAD'
   */
  readonly targetRevision?: string;

  /**
   * Name of the AppProject.
   *
   * @default 'default'
   */
  readonly project?: string;

  /**
   * The hub as registered in Argo CD, by URL or by name, and the namespace for objects without a namespace.
   *
   * @default - the cluster that Argo CD runs on
   */
  readonly destination?: ArgoCdDestination;

  /**
   * Whether Argo CD syncs automatically: it prunes objects that are removed from the folder, and reverts changes made
   * on the hub.
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
   * Differences to ignore.
   *
   * @default - none
   * @see https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/
   */
  readonly ignoreDifferences?: readonly ArgoCdIgnoredDifference[];
}

/** A cluster registered in Argo CD, by URL or by name. */
export interface ArgoCdDestination {
  readonly server?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Fields of a kind whose differences are ignored. */
export interface ArgoCdIgnoredDifference {
  readonly group?: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly jsonPointers?: readonly string[];
  readonly jqPathExpressions?: readonly string[];
  readonly managedFieldsManagers?: readonly string[];
}

/** The settings of an Application, and its namespace. */
export interface ArgoCdApplicationProps extends NamespacedObjectProps, ArgoCdApplicationTemplate {
  /**
   * The namespace of Argo CD.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;
}

/**
 * Applies a folder with Argo CD.
 *
 * @example
 * new ArgoCdApplication(chart, 'hello', {
 *   repoUrl: 'https://git.example.com/add-ons.git',
 *   path: 'dist/hello',
 *   automated: true,
 * });
 *
 * @see https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#applications
 */
export class ArgoCdApplication extends NamespacedObject {
  private readonly template: ArgoCdApplicationTemplate;

  constructor(scope: Construct, id: string, props: ArgoCdApplicationProps) {
    checkProps({ ArgoCdApplication }, new.target, scope, id, props);
    const type = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' };
    super(scope, id, type, { ...props, namespace: props.namespace ?? 'argocd' });
    this.template = props;
  }

  /** @internal */
  protected override toSpec(): object {
    return applicationSpec(this.template);
  }

  protected override faults(): string[] {
    return [...super.faults(), ...destinationFaults(`Application '${this.name}'`, this.template.destination)];
  }
}

const retry = { limit: -1, refresh: true, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } };

/**
 * The finalizer that deletes the objects of an Application with it. In the background, so that the
 * ClusterManagementAddOn is deleted before its ManagedClusterAddOns.
 */
export const backgroundFinalizer = 'resources-finalizer.argocd.argoproj.io/background';

/** Returns the `spec` of an Application. */
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
      // A failed sync is retried with the latest commit until it succeeds. By default Argo CD stops after five
      // attempts.
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

/** Returns the errors of a destination. */
export function destinationFaults(what: string, destination: ArgoCdDestination = {}): string[] {
  return destination.server !== undefined && destination.name !== undefined
    ? [`${what} has a destination with both a server and a name`]
    : [];
}
