/**
 * The behavior that depends on the version of cel-go.
 */
export interface CelBehaviour {
  /** Whether field names can be in backticks: ``labels.`a-b` ``. */
  readonly escapedIdentifiers: boolean;
  /** Whether `lowerAscii`, `split`, `replace` and similar functions cost by the length of their strings, or 1 each. */
  readonly chargesStringFunctions: boolean;
  /** Whether `startsWith` and `endsWith` cost by the length of the searched text, or of the whole string. */
  readonly chargesPrefixByArgument: boolean;
  /** Whether `matches(string, pattern)` costs as `string.matches(pattern)` does, or 1. */
  readonly chargesGlobalMatches: boolean;
  /** Whether `indexOf('', n)` stops at the end of the string, or returns n whatever its value. */
  readonly boundsEmptyNeedle: boolean;
  /** Whether `duration(1)` compiles (it never evaluates). */
  readonly durationOfInt: boolean;
  /** The maximum precision of `%.nf` and `%.ne`. */
  readonly maxPrecision: number;
  /** Whether the value of an optional in a variable is converted to Go's own types, which loses types and inner optionals. */
  readonly stripsOptionals: boolean;
  /** Whether `%f` and `%e` accept integers, or write Go's error text for them. */
  readonly formatsIntegersAsDoubles: boolean;
}

/** cel-go 0.26.1. */
export const cel026: CelBehaviour = {
  escapedIdentifiers: false,
  chargesStringFunctions: false,
  chargesPrefixByArgument: false,
  chargesGlobalMatches: false,
  boundsEmptyNeedle: false,
  durationOfInt: true,
  maxPrecision: Infinity,
  stripsOptionals: true,
  formatsIntegersAsDoubles: false,
};

/** cel-go 0.28.0. */
export const cel028: CelBehaviour = {
  ...cel026,
  escapedIdentifiers: true,
  maxPrecision: 100,
  formatsIntegersAsDoubles: true,
};

/** cel-go 0.29.2. */
export const cel029: CelBehaviour = {
  ...cel028,
  chargesStringFunctions: true,
  chargesPrefixByArgument: true,
  chargesGlobalMatches: true,
  boundsEmptyNeedle: true,
  durationOfInt: false,
  stripsOptionals: false,
};
