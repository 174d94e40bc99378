import type { Configuration } from '../configure/configuration.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { HubVersion } from '../hub-version.ts';
import type { Inventory } from '../inventory.ts';
import type { Decisions } from '../place/decision.ts';
import type { Rendering } from '../render/rendering.ts';

/** What the rules look at: one state of the inputs, resolved. */
export interface CheckInput {
  readonly inventory: Inventory;
  readonly decisions: Decisions;
  readonly configuration: Configuration;
  readonly rendering: Rendering;
}

/** With the hub for which it was resolved. */
export interface RuleInput extends CheckInput {
  readonly hub: HubVersion;
}

/** A rule across objects. It looks at everything and says what it finds; it changes nothing. */
export type Rule = (input: RuleInput) => Iterable<Diagnostic>;
