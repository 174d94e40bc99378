import { Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import { defined } from './defined.ts';

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
  constructor(
    scope: Construct,
    id: string,
    type: { readonly apiVersion: string; readonly kind: string },
    props: NamespacedObjectProps,
  ) {
    super(scope, id, {
      apiVersion: type.apiVersion,
      kind: type.kind,
      metadata: defined({
        name: props.name ?? id,
        namespace: props.namespace,
        labels: props.labels,
        annotations: props.annotations,
      }),
      // When the tree is rendered: until then `addXxx` may be called.
      spec: Lazy.any({ produce: () => this.toSpec() }),
    });
    this.node.addValidation({ validate: () => this.faults() });
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
