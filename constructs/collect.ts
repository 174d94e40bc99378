import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import { renderObject } from './render-object.ts';
import type { SourceLocation } from './source.ts';
import { sourceOf } from './source.ts';

/** An object of the hub, as a construct describes it. */
export interface CollectedObject {
  readonly object: KubernetesObject;
  /** The path of the construct, such as `helloworld/placement-aws`. */
  readonly construct: string;
  /**
   * The line of the app that created the construct, where that is known. Read only when needed: it costs
   * something.
   */
  readonly source: SourceLocation | undefined;
}

/** What is wrong with a construct. */
export interface ConstructError {
  /** The path of the construct. */
  readonly construct: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The line of the app that created the construct, where that is known. */
  readonly source: SourceLocation | undefined;
}

/** What a tree of constructs gives. */
export interface Collection {
  /**
   * In the order of the tree: each construct before its children, children in the order of their creation.
   */
  readonly objects: readonly CollectedObject[];
  /**
   * What the constructs' validations say, and which objects could not be rendered and are therefore missing.
   */
  readonly errors: readonly ConstructError[];
}

/**
 * Takes the objects out of a tree of constructs: ours, and any other ApiObject of cdk8s. All validations run
 * first. The tree is walked once and each object rendered once, so the time grows with their number; cdk8s's
 * own synth takes time that grows with the square of the number of charts.
 */
export function collect(root: IConstruct): Collection {
  const constructs = root.node.findAll();
  const errors: ConstructError[] = [];
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
  found: T,
): T & Pick<CollectedObject, 'construct' | 'source'> {
  return {
    ...found,
    construct: construct.node.path,
    get source() {
      return sourceOf(construct);
    },
  };
}
