/**
 * The limit for values that aliases add to a document. It counts as go-yaml decode.go (allowedAliasRatio), so that a document
 * that passes here also passes in kubectl. In a document of up to 400,000 values, nearly all may come from aliases; in one of
 * 4,000,000, a tenth.
 */
export class AliasBudget {
  #values = 0;
  #valuesInAliases = 0;

  /** Counts one value; returns false if too many of them came from aliases. */
  spend(insideAlias: boolean): boolean {
    this.#values++;
    if (insideAlias) this.#valuesInAliases++;
    if (this.#valuesInAliases <= 100 || this.#values <= 1000) return true;
    return this.#valuesInAliases / this.#values <= allowedShare(this.#values);
  }
}

const small = 400_000;
const large = 4_000_000;

function allowedShare(values: number): number {
  if (values <= small) return 0.99;
  if (values >= large) return 0.1;
  return 0.99 - (0.89 * (values - small)) / (large - small);
}
