import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { ApiObject } from './api-object.ts';
import { defined } from './defined.ts';
import { revisionAnnotations, revisionName, type RevisionProps } from './revision.ts';

/**
 * What all of OCM's objects have in common. Finalizers and the like are set through `metadata`, as in cdk8s.
 */
export interface ObjectProps {
  /**
   * The name of the object. Names carry meaning in OCM (an add-on is known by its name, a binding has the
   * name of its set), so nothing is appended to it.
   *
   * @default - the construct's id
   */
  readonly name?: string;

  /**
   * Labels, beside those of the chart.
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

/** What all of OCM's objects that live in a namespace have in common. */
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
      // When the tree is rendered: until then `addXxx` may be called.
      spec: Lazy.any({ produce: () => this.toSpec() }),
    });
    this.immutable = props.immutable ?? false;
    this.node.addValidation({ validate: () => this.faults() });
  }

  override toJson(): KubernetesObject {
    const object = super.toJson();
    if (!this.immutable) return object;
    const name = revisionName(this.name, object);
    this.revision ??= name;
    if (this.revision !== name) {
      throw new Error(
        `${this.kind} '${this.name}' is immutable, and was changed after something had referred to it`,
      );
    }
    return { ...object, metadata: { ...object.metadata, name } };
  }

  /** The name under which the object is on the hub. For an immutable one this settles its content. */
  protected get emittedName(): string {
    if (!this.immutable) return this.name;
    return this.revision ?? this.toJson().metadata.name ?? this.name;
  }

  /** The `spec` of the manifest. */
  protected abstract toSpec(): object;

  /** What is wrong with the object that neither the types nor the schema can tell; one sentence each. */
  protected faults(): string[] {
    return [];
  }
}

/** An object of one of OCM's kinds that live in a namespace. */
export abstract class NamespacedObject extends OcmObject {
  /**
   * The namespace on the hub; empty where neither the object nor its chart has one, which does not pass
   * validation.
   */
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
