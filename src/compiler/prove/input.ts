import {
  anySyntax,
  claimValueSyntax,
  clusterNameSyntax,
  labelValueSyntax,
  type TextSyntax,
} from './text-regions.ts';
import type { TextPattern } from './text-pattern.ts';

/** A field of a cluster that selectors read. */
export type Input =
  | { readonly kind: 'label' | 'annotation' | 'claim'; readonly key: string }
  /** Whether the cluster has an annotation or claim that no selector names: without any, the map itself is absent. */
  | { readonly kind: 'other annotation' | 'other claim' }
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
}

/** What selectors ask about clusters. */
export class Questions {
  readonly byInput = new Map<string, InputQuestions>();

  /** Returns the questions about an input, to add to them. */
  about(input: Input): InputQuestions {
    const id = inputId(input);
    const questions = this.byInput.get(id);
    if (questions !== undefined) return questions;
    const empty: InputQuestions = { input, literals: new Set(), patterns: new Map() };
    this.byInput.set(id, empty);
    return empty;
  }
}

/** Returns the texts that an input may have. */
export function syntaxOf({ kind }: Input): TextSyntax {
  switch (kind) {
    case 'label':
      return labelValueSyntax;
    case 'claim':
      return claimValueSyntax;
    case 'name':
      return clusterNameSyntax;
    case 'annotation':
    case 'version':
    case 'other annotation':
    case 'other claim':
      break;
  }
  return anySyntax;
}
