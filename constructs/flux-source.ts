import type { Construct } from 'constructs';
import { defined } from './defined.ts';
import type { NamespacedObjectProps } from './ocm-object.ts';
import { NamespacedObject } from './ocm-object.ts';
import { checkProps } from './check-properties.ts';

/** A source of Flux with an emitted tree. */
export interface IFluxSource {
  readonly sourceReference: FluxSourceReference;
}

/** The reference to a source of Flux. */
export interface FluxSourceReference {
  readonly kind: 'GitRepository' | 'OCIRepository' | 'Bucket';
  readonly name: string;
  /** @default - the namespace of the Kustomization */
  readonly namespace?: string;
}

/** The common settings of the sources of Flux. */
export interface FluxSourceProps extends NamespacedObjectProps {
  /**
   * The namespace.
   *
   * @default 'flux-system'
   */
  readonly namespace?: string;

  /** URL of the source: `https://…` or `ssh://…` for Git, `oci://…` for OCI. */
  readonly url: string;

  /**
   * Interval between two checks for changes, such as `1m` or `1h30m`.
   *
   * @default '30s', so that a commit reaches the hub within a minute
   */
  readonly interval?: string;

  /**
   * A Secret in the same namespace with the credentials for the server.
   *
   * @default - none
   */
  readonly secretName?: string;
}

/** A source with an emitted tree: the settings that a Git repository and an OCI artifact share. */
export abstract class FluxSource extends NamespacedObject implements IFluxSource {
  readonly sourceReference: FluxSourceReference;
  protected readonly source: FluxSourceProps;

  constructor(scope: Construct, id: string, kind: 'GitRepository' | 'OCIRepository', props: FluxSourceProps) {
    const namespace = props.namespace ?? 'flux-system';
    super(scope, id, { apiVersion: 'source.toolkit.fluxcd.io/v1', kind }, { ...props, namespace });
    this.source = props;
    this.sourceReference = { kind, name: this.name, namespace };
  }

  protected common(): { interval: string; url: string; secretRef?: { readonly name: string } } {
    const { interval = '30s', url, secretName } = this.source;
    return defined({ interval, url, secretRef: secretName === undefined ? undefined : { name: secretName } });
  }
}

/** The repository and its revision. */
export interface FluxGitRepositoryProps extends FluxSourceProps {
  /**
   * The branch to follow. Not allowed with `tag`.
   *
   * @default 'main'
   */
  readonly branch?: string;

  /**
   * A fixed tag.
   *
   * @default - the branch is followed
   */
  readonly tag?: string;
}

/**
 * A Git repository with an emitted tree, for Flux.
 *
 * @example
 * new FluxGitRepository(chart, 'add-ons', {
 *   url: 'ssh://git@git.example.com/add-ons.git',
 *   branch: 'main',
 *   secretName: 'deploy-key',
 * });
 *
 * @see https://fluxcd.io/flux/components/source/gitrepositories/
 */
export class FluxGitRepository extends FluxSource {
  private readonly ref: { readonly branch: string } | { readonly tag: string };

  constructor(scope: Construct, id: string, props: FluxGitRepositoryProps) {
    checkProps({ FluxGitRepository }, new.target, scope, id, props);
    super(scope, id, 'GitRepository', props);
    this.ref = props.tag === undefined ? { branch: props.branch ?? 'main' } : { tag: props.tag };
  }

  /** @internal */
  protected override toSpec(): object {
    return { ...this.common(), ref: this.ref };
  }
}

/** The artifact and its version. */
export interface FluxOciRepositoryProps extends FluxSourceProps {
  /**
   * The tag to follow. Not allowed with `digest` or `semver`.
   *
   * @default 'latest'
   */
  readonly tag?: string;

  /**
   * A range of versions to follow, such as `>=1.0.0 <2.0.0`.
   *
   * @default - the tag is followed
   */
  readonly semver?: string;

  /**
   * A fixed digest: `sha256:…`.
   *
   * @default - the tag is followed
   */
  readonly digest?: string;
}

/**
 * An OCI artifact with an emitted tree, for Flux.
 *
 * @example
 * new FluxOciRepository(chart, 'add-ons', { url: 'oci://registry.example.com/add-ons', tag: 'production' });
 *
 * @see https://fluxcd.io/flux/components/source/ocirepositories/
 */
export class FluxOciRepository extends FluxSource {
  private readonly ref: object;

  constructor(scope: Construct, id: string, props: FluxOciRepositoryProps) {
    checkProps({ FluxOciRepository }, new.target, scope, id, props);
    super(scope, id, 'OCIRepository', props);
    const { tag, semver, digest } = props;
    this.ref = defined({
      tag: semver === undefined && digest === undefined ? (tag ?? 'latest') : tag,
      semver,
      digest,
    });
  }

  /** @internal */
  protected override toSpec(): object {
    return { ...this.common(), ref: this.ref };
  }

  protected override faults(): string[] {
    if (this.source.url.startsWith('oci://')) return super.faults();
    return [...super.faults(), `OCIRepository '${this.name}' has a url that does not begin with oci://`];
  }
}
