const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && /^\p{Nd}$/u.test(character);

/** Compares keys as go-yaml v2 sorts them: numbers in keys by their value, and letters after other characters. */
export function compareKeys(a: string, b: string): number {
  return compare(a, b, () => false);
}

/** Compares keys as go-yaml v3, which sorts letters before other characters after a digit. */
export function compareKeysOfV3(a: string, b: string): number {
  return compare(a, b, isDigit);
}

/** @param putsLettersFirst - whether letters come first after a character that the keys share */
function compare(a: string, b: string, putsLettersFirst: (previous: string | undefined) => boolean): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [x = '', y = ''] = [left[at], right[at]];
    if (x === y) continue;
    if (isLetter(x) !== isLetter(y)) return isLetter(x) === putsLettersFirst(left[at - 1]) ? -1 : 1;
    return compareFrom(left, right, at, x, y);
  }
  return left.length - right.length;
}

function compareFrom(
  left: readonly string[],
  right: readonly string[],
  at: number,
  x: string,
  y: string,
): number {
  const byCode = (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  if (isLetter(x) && isLetter(y)) return byCode;
  const start = (x === '0' || y === '0') && followsDigit(left, at) ? 1n : 0n;
  const [first, second] = [numberAt(left, at, start), numberAt(right, at, start)];
  if (first.value !== second.value) return first.value < second.value ? -1 : 1;
  return first.end === second.end ? byCode : first.end - second.end;
}

/** Whether a digit other than 0 is right before a position, with only zeros between. */
function followsDigit(characters: readonly string[], at: number): boolean {
  for (let index = at - 1; isDigit(characters[index]); index--) if (characters[index] !== '0') return true;
  return false;
}

function numberAt(characters: readonly string[], at: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = at;
  for (; isDigit(characters[end]); end++)
    value = BigInt.asIntN(64, value * 10n + BigInt((characters[end]?.codePointAt(0) ?? 48) - 48));
  return { value, end };
}
