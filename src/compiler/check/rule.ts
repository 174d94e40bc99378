import type { Code } from '../model/codes.ts';
import type { Configuration } from '../configure/resolved-add-on.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { Inventory } from '../model/inventory.ts';
import type { AddOnParameters } from '../parameters/compile.ts';
import type { Decisions } from '../place/decision.ts';
import type { Delivery } from './cluster/deliveries.ts';
import type { Rendering } from '../render/render-result.ts';

/** The input of the rules: one resolved state of the inputs. */
export interface CheckInput {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  readonly configuration: Configuration;
  readonly rendering: Rendering;
  /** By add-on, if it has parameters. */
  readonly parameters: ReadonlyMap<string, AddOnParameters>;
}

/** The input, with the hub for which it was resolved. */
export interface RuleInput extends CheckInput {
  readonly hub: HubVersion;
  /** Whether a promotion releases the clusters of compiled delivery. @default false */
  readonly isPromoted?: boolean;
  /** What the clusters get. @default - what add-ons and works deliver in this state @internal */
  readonly deliveries?: readonly Delivery[];
}

/** A rule across objects. Its file has its codes, so that the code of a diagnostic leads to the rule. */
export interface Rule {
  /** The codes of the findings. Most rules have one. */
  readonly codes: readonly Code[];
  /**
   * Returns the findings in one state of the inputs. It reads the state from `input` alone, and changes nothing: it runs again only if
   * what it read there has changed.
   */
  readonly check: (input: RuleInput) => Iterable<Diagnostic>;
}
