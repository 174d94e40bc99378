import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { ApiObject } from './api-object.ts';
import { defined } from './defined.ts';
import { revisionName } from '../src/ocm/revision-name.ts';
import { revisionAnnotations, type RevisionProps } from './revision.ts';

/** The common settings of OCM's objects. Set finalizers and similar fields through `metadata`, as in cdk8s. */
export interface ObjectProps {
  /**
   * The name of the object. Names have a meaning in OCM (the name identifies an add-on, a binding has the name of its
   * set), so nothing is appended.
   *
   * @default - the construct's id
   */
  readonly name?: string;

  /**
   * Labels, in addition to those of the chart.
   *
   * @default - none
   * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Annotations.
   *
   * @default - none
   * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The common settings of OCM's namespaced objects. */
export interface NamespacedObjectProps extends ObjectProps {
  /**
   * The namespace on the hub.
   *
   * @default - the namespace of the chart
   */
  readonly namespace?: string;
}

/** An object of one of OCM's kinds. */
export abstract class OcmObject extends ApiObject {
  private readonly immutable: boolean;
  private revision: string | undefined;

  constructor(
    scope: Construct,
    id: string,
    type: { readonly apiVersion: string; readonly kind: string },
    props: NamespacedObjectProps & RevisionProps,
  ) {
    super(scope, id, {
      apiVersion: type.apiVersion,
      kind: type.kind,
      metadata: defined({
        name: props.name ?? id,
        namespace: props.namespace,
        labels: props.labels,
        annotations: props.immutable
          ? { ...props.annotations, ...revisionAnnotations(props.name ?? id, props) }
          : props.annotations,
      }),
      // Evaluated when the tree is rendered: `addXxx` may be called until then.
      spec: Lazy.any({ produce: () => this.toSpec() }),
    });
    this.immutable = props.immutable ?? false;
    this.node.addValidation({ validate: () => this.faults() });
  }

  override toJson(): KubernetesObject {
    const object = super.toJson();
    if (!this.immutable) return object;
    const name = revisionName(this.name, object['spec']);
    this.revision ??= name;
    if (this.revision !== name) {
      throw new Error(
        `${this.kind} '${this.name}' is immutable, and was changed after something had referred to it`,
      );
    }
    return { ...object, metadata: { ...object.metadata, name } };
  }

  /** The name of the object on the hub. Reading the name of an immutable object makes its content final. */
  protected get emittedName(): string {
    if (!this.immutable) return this.name;
    return this.revision ?? this.toJson().metadata.name ?? this.name;
  }

  /**
   * Returns the `spec` of the manifest.
   *
   * @internal
   */
  protected abstract toSpec(): object;

  /** Returns errors that neither the types nor the schema can express, one sentence each. */
  protected faults(): string[] {
    return [];
  }
}

/** A namespaced object of one of OCM's kinds. */
export abstract class NamespacedObject extends OcmObject {
  /** The namespace on the hub; empty if neither the object nor its chart has one, which validation rejects. */
  get namespace(): string {
    return this.metadata.namespace ?? '';
  }

  protected override faults(): string[] {
    if (this.namespace !== '') return super.faults();
    return [
      ...super.faults(),
      `${this.kind} '${this.name}' has no namespace: give it one, or give one to its chart`,
    ];
  }
}
