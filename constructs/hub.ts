import type { App } from 'cdk8s';
import { checkArguments } from './check-properties.ts';

/**
 * A hub of the workspace, as `hubs` in fleetwright.yaml describes it. An app that exports a function of a `Hub` is built once per
 * hub.
 *
 * @typeParam Facts - the values under `facts`
 * @typeParam Label - the keys of the cluster labels that the app reads
 */
export interface Hub<
  Facts extends object = Readonly<Record<string, unknown>>,
  Label extends string = string,
> {
  /** The name of the hub in fleetwright.yaml. */
  readonly name: string;
  /** The OCM release in fleetwright.yaml, such as `1.3`. */
  readonly hubVersion: string;
  readonly facts: Facts;
  /** The managed clusters of the fleet snapshot. Empty if the hub has none. */
  readonly clusters: readonly HubCluster<Label>[];
}

/** A managed cluster of a hub. */
export interface HubCluster<Label extends string = string> {
  readonly name: string;
  /** The labels by key. A cluster may lack any of them. */
  readonly labels: Readonly<Partial<Record<Label, string>>>;
}

/** The type of a fact: the name of a type, or the allowed texts. */
export type FactType = 'string' | 'number' | 'boolean' | readonly string[];

/** The value of a fact of a type. */
export type FactValue<T extends FactType> = T extends readonly (infer Text)[]
  ? Text
  : T extends 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : string;

/** What an app reads of a hub. */
export interface HubDeclaration<
  Facts extends Readonly<Record<string, FactType>>,
  Label extends string = string,
> {
  /** The facts that every hub must have, by name. */
  readonly facts?: Facts;
  /**
   * The keys of the cluster labels that the app reads.
   *
   * @default - any label
   */
  readonly labels?: readonly Label[];
}

/** The `code` of the error for a fact that a hub lacks. */
export const hubFactErrorCode = 'FLEETWRIGHT_HUB_FACT';

/**
 * Returns the function that an app exports to be built once per hub. The declaration gives the facts and labels their TypeScript
 * types, and each hub is checked against it before `build` runs.
 *
 * ```ts
 * export default forEachHub({ facts: { environment: ['dev', 'prod'] }, labels: ['region'] }, (hub) => {
 *   const app = new App();
 *   new Agent(app, 'agent', { replicas: hub.facts.environment === 'prod' ? 3 : 1 });
 *   return app;
 * });
 * ```
 *
 * @throws Error from the function if a hub lacks a fact, or has a value of another type
 */
export function forEachHub<
  const Facts extends Readonly<Record<string, FactType>> = Readonly<Record<string, never>>,
  const Label extends string = string,
>(
  declaration: HubDeclaration<Facts, Label>,
  build: (hub: Hub<{ readonly [Name in keyof Facts]: FactValue<Facts[Name]> }, Label>) => App,
): (hub: Hub) => App {
  checkArguments('forEachHub', [declaration], forEachHub);
  const { facts } = declaration;
  return (hub) => {
    for (const [name, type] of Object.entries(facts ?? {})) checkFact(hub, name, type);
    return build(hub as unknown as Parameters<typeof build>[0]);
  };
}

function checkFact({ name: hub, facts }: Hub, name: string, type: FactType): void {
  const value = facts[name];
  const isValid = typeof type === 'string' ? typeof value === type : type.some((text) => text === value);
  if (isValid) return;
  const expected = typeof type === 'string' ? `a ${type}` : `one of ${type.join(', ')}`;
  const problem =
    value === undefined ? `has no fact ${name}` : `has the fact ${name}: ${JSON.stringify(value)}`;
  throw Object.assign(new Error(`hub ${hub} ${problem}, and the app needs ${expected}`), {
    code: hubFactErrorCode,
  });
}
