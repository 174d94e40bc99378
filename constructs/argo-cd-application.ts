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
   * Whether changes are applied without anybody asking: what leaves the folder leaves the hub, and what is changed on the
   * hub is changed back.
   *
   * @default true
   */
  readonly automated?: boolean;

  /**
   * Further options of the sync, beside `ServerSideApply=true` and `PruneLast=true`, which keeps a configuration until
   * everything is applied that no longer names it.
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
      syncOptions: ['ServerSideApply=true', 'PruneLast=true', ...(template.syncOptions ?? [])],
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
