import {
  anySyntax,
  claimValueSyntax,
  clusterNameSyntax,
  labelValueSyntax,
  type TextSyntax,
} from './text-regions.ts';
import type { TextPattern } from './text-pattern.ts';

/** A map of a cluster that is absent without entries. Capacities are `status.capacity` and `status.allocatable`. */
export type MapKind = 'annotation' | 'claim' | ResourceKind;

/** A map of quantities. */
export type ResourceKind = 'capacity' | 'allocatable';

/** The entries of a map that no selector names. */
export type OtherKind = `other ${MapKind}`;

/** A field of a cluster that selectors read. */
export type Input =
  | { readonly kind: 'label' | MapKind; readonly key: string }
  /** Whether the cluster has an entry of the map that no selector names: without any, the map itself is absent. */
  | { readonly kind: OtherKind }
  | { readonly kind: 'version' | 'name' };

/** Returns the identity of an input. */
export function inputId(input: Input): string {
  return 'key' in input ? `${input.kind} ${input.key}` : input.kind;
}

/** What selectors ask about one input. */
export interface InputQuestions {
  readonly input: Input;
  /** Texts that it is compared with. */
  readonly literals: Set<string>;
  /** Patterns that are searched in it, by what identifies them. */
  readonly patterns: Map<string, TextPattern>;
  /** Quantities that it is compared with as a quantity. */
  readonly quantities: Set<string>;
}

/** Whether an input is the entries of a map that no selector names. */
export function isOther(input: Input): input is { readonly kind: OtherKind } {
  return input.kind.startsWith('other ');
}

/** Whether an input is a quantity. */
export function isResource(input: Input): input is { readonly kind: ResourceKind; readonly key: string } {
  return input.kind === 'capacity' || input.kind === 'allocatable';
}

/** What selectors ask about clusters. */
export class Questions {
  readonly byInput = new Map<string, InputQuestions>();

  /** Returns the questions about an input, to add to them. */
  about(input: Input): InputQuestions {
    const id = inputId(input);
    const questions = this.byInput.get(id);
    if (questions !== undefined) return questions;
    const empty: InputQuestions = { input, literals: new Set(), patterns: new Map(), quantities: new Set() };
    this.byInput.set(id, empty);
    return empty;
  }
}

/** Returns the texts that an input may have. */
export function syntaxOf({ kind }: Input): TextSyntax {
  return syntaxes[kind] ?? anySyntax;
}

const syntaxes: Partial<Record<Input['kind'], TextSyntax>> = {
  label: labelValueSyntax,
  claim: claimValueSyntax,
  name: clusterNameSyntax,
};
