import type { ResourceReference } from './config-reference.ts';
import type { Expression, Statement } from './expression.ts';
import type { Rendering } from './synthesizer.ts';

/** Where an object is created: in which chart, under which id and, where something refers to it, under which name. */
export interface Place {
  /** The variable of the chart. */
  readonly chart: string;
  /** The namespace that the chart gives to what names none. */
  readonly namespace: string | undefined;
  /** The id of the construct, which no other of the chart has. */
  readonly id: string;
  /** The variable of the object. */
  readonly variable: string;
}

/** Whose objects those of a workload are, which is where cdk8s-plus takes its selectors from. */
export interface WorkloadOwner {
  readonly addonName: string;
  readonly namespace: string;
}

/** What the writer of one object knows of the others. */
export interface Context {
  readonly place: Place;
  /** The Placement: a variable, or a reference to one that is defined elsewhere. */
  placement(namespace: string, name: string): Expression;
  /** A set of clusters: a variable, or a reference. */
  clusterSet(name: string): Expression;
  /** The configuration of an add-on: a variable, or a reference. */
  config(reference: ResourceReference): Expression;
  /** The add-on: a variable where it is created by a construct, or a reference. */
  addOn(name: string): Expression;
  /** The variable of an object that is created by a construct of that class, or as an ApiObject; undefined for others. */
  variable(apiGroup: string, kind: string, namespace: string | undefined, name: string): string | undefined;
  /** The variable of a decision group of a Placement that is created by the app. */
  decisionGroup(
    placement: { readonly namespace: string; readonly name: string },
    group: string,
  ): string | undefined;
  /** Renders the manifest that statements in the scope of a workload create, after those that they need. */
  renderManifest(
    needed: readonly (readonly Statement[])[],
    statements: readonly Statement[],
    owner: WorkloadOwner,
  ): Rendering;
  /** Reports that one more manifest of a template is written. */
  manifestWritten(): void;
}
