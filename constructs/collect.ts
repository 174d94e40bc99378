import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../src/base/objects/object-meta.ts';
import { renderObject } from './render-object.ts';
import type { SourceLocation } from './source.ts';
import { sourceOf } from './source.ts';

/** An object of the hub, from a construct. */
export interface CollectedObject {
  readonly object: KubernetesObject;
  /** Path of the construct, such as `helloworld/placement-aws`. */
  readonly construct: string;
  /**
   * Returns the line of the app that created the construct, if known. Computed only when called, because it is slow.
   */
  readonly source: SourceLocation | undefined;
}

/** An error of a construct. */
export interface ConstructFault {
  /** Path of the construct. */
  readonly construct: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The line of the app that created the construct, if known. */
  readonly source: SourceLocation | undefined;
}

/** The result for a construct tree. */
export interface Collection {
  /**
   * The objects, in the order of the tree: each construct before its children, children in the order of their
   * creation.
   */
  readonly objects: readonly CollectedObject[];
  /**
   * The errors of the constructs' validations, and of objects that could not be rendered and are therefore missing.
   */
  readonly errors: readonly ConstructFault[];
}

/**
 * Returns the objects of a construct tree: ours, and any other ApiObject of cdk8s. All validations run first. The
 * tree is walked once and each object rendered once, so the time grows linearly; cdk8s's own synth takes time that
 * grows with the square of the number of charts.
 *
 * @example
 * const { objects, errors } = collect(app);
 * if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
 * const kinds = objects.map(({ object }) => object.kind);
 */
export function collect(root: IConstruct): Collection {
  const constructs = root.node.findAll();
  const errors: ConstructFault[] = [];
  for (const construct of constructs) {
    for (const message of construct.node.validate()) errors.push(withSource(construct, { message }));
  }
  const objects: CollectedObject[] = [];
  for (const construct of constructs) {
    if (!ApiObject.isApiObject(construct)) continue;
    try {
      objects.push(withSource(construct, { object: renderObject(construct) }));
    } catch (error) {
      errors.push(withSource(construct, { message: error instanceof Error ? error.message : String(error) }));
    }
  }
  return { objects, errors };
}

function withSource<T extends object>(
  construct: IConstruct,
  value: T,
): T & Pick<CollectedObject, 'construct' | 'source'> {
  return {
    ...value,
    construct: construct.node.path,
    get source() {
      return sourceOf(construct);
    },
  };
}
