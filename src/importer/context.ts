import type { ResourceReference } from './constructs/config-reference.ts';
import type { Expression, Statement } from './code/expression.ts';
import type { Rendering } from './synthesizer.ts';

/** Where an object is created: its chart, its id and, if something refers to it, its variable. */
export interface ConstructLocation {
  /** The variable of the chart. */
  readonly chart: string;
  /** The namespace that the chart sets on objects without a namespace. */
  readonly namespace: string | undefined;
  /** The id of the construct, unique in the chart. */
  readonly id: string;
  /** The variable of the object. */
  readonly variable: string;
}

/** The owner of the objects of a workload. cdk8s-plus derives its selectors from it. */
export interface WorkloadOwner {
  readonly addonName: string;
  readonly namespace: string;
}

/** The view that the writer of one object has of the other objects. */
export interface Context {
  readonly location: ConstructLocation;
  /** Returns the Placement: a variable, or a reference to one that is defined elsewhere. */
  placement(namespace: string, name: string): Expression;
  /** Returns a cluster set: a variable, or a reference. */
  clusterSet(name: string): Expression;
  /** Returns the configuration of an add-on: a variable, or a reference. */
  config(reference: ResourceReference): Expression;
  /** Returns the add-on: a variable if a construct creates it, or a reference. */
  addOn(name: string): Expression;
  /** Returns the variable of an object that is created by a construct of that class, or as an ApiObject; undefined for others. */
  variable(apiGroup: string, kind: string, namespace: string | undefined, name: string): string | undefined;
  /** Returns the variable of a decision group of a Placement that the app creates. */
  decisionGroup(
    placement: { readonly namespace: string; readonly name: string },
    group: string,
  ): string | undefined;
  /** Renders the manifest that statements in the scope of a workload create, after the statements that they need. */
  renderManifest(
    needed: readonly (readonly Statement[])[],
    statements: readonly Statement[],
    owner: WorkloadOwner,
  ): Rendering;
  /** Reports that another manifest of a template is written. */
  reportManifest(): void;
}
