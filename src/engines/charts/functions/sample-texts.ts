import type { Sample } from '../../gotemplate/index.ts';

/** Fixed results of the functions in a rendering. */
export type FixedSample = Sample & { readonly kind: Exclude<Sample['kind'], 'random'> };

/** Whether the functions of a rendering have fixed results. */
export function isFixed(sample: Sample): sample is FixedSample {
  return sample.kind !== 'random';
}

/** What a text of a sample consists of: one character of each class in turn. */
export interface CharacterClasses {
  readonly first: string;
  /** For each character of the first sample, those that can be in its place in the second one: others, also in the other case. */
  readonly second: readonly string[];
}

const [lower, upper, digits] = ['zyxwvutsrqponmlkjihgfedcb', 'ZYXWVUTSRQPONMLKJIHGFEDCB', '98765432'];

export const lettersAndDigits: CharacterClasses = { first: 'aA1', second: [digits, lower, upper] };
export const lettersOnly: CharacterClasses = { first: 'aA', second: [upper, lower] };
export const digitsOnly: CharacterClasses = { first: '1', second: [digits] };
/** Digits of UUIDs. */
export const hexadecimals: CharacterClasses = { first: 'a', second: ['98765321fedcb'] };
/** Characters that also differ in base64, wherever they are. */
const encodable: CharacterClasses = { first: 'a', second: ['ZXWVTSRPONLKJHFDCB8746320'] };

/**
 * Returns a text of a sample. Those of the two samples have no character in common at one place, so that no part of them is equal, and each call
 * of the second sample has another text, so that a comparison of two calls is not equal with both samples.
 */
export function sampleText(sample: FixedSample, { first, second }: CharacterClasses, length: number): string {
  const draw = sample.draw();
  const characters =
    sample.kind === 'first' ? first : second.map((some) => some.charAt(draw % some.length)).join('');
  return characters.repeat(Math.ceil(length / characters.length)).slice(0, length);
}

/** Returns the base64 of a sample of some bytes. */
export function sampleBytes(sample: FixedSample, length: number): string {
  return Buffer.from(sampleText(sample, encodable, length)).toString('base64');
}

/** Bytes of a PEM block of a sample. One line. */
const bytesOfPem = 48;

/** Returns a PEM block of a sample. */
export function samplePem(type: string, sample: FixedSample): string {
  return `-----BEGIN ${type}-----\n${sampleBytes(sample, bytesOfPem)}\n-----END ${type}-----\n`;
}

/** Whether bytes are those of a PEM block of a sample. */
export function isSampleContent(bytes: Buffer): boolean {
  return bytes.length === bytesOfPem && bytes.every((byte) => byte === bytes[0]);
}

/** Numbers that calculations often divide by. */
const divisors = [2, 3, 5];

/**
 * Returns a number from 0 to a limit: 0 in the first sample, and in the second one a large one, if possible one that is not divisible, so that the
 * rest of a division differs, too.
 */
export function sampleNumber(sample: FixedSample, most: number): number {
  const draw = sample.draw();
  if (sample.kind === 'first' || most === 0) return 0;
  let number = most - ((draw * 7) % most);
  if (most > 12 && Number.isSafeInteger(most))
    while (divisors.some((divisor) => number % divisor === 0)) number -= 1;
  return number;
}

/** Returns an order of letters: that of their numbers, and in the second sample one in which every letter is at another place if possible. */
export function sampleOrder(sample: FixedSample, letters: readonly string[]): readonly string[] {
  const draw = sample.draw();
  const sorted = letters.toSorted();
  if (sample.kind === 'first') return sorted;
  const most = mostEqual(sorted);
  const rotations = Math.max(1, sorted.length - 2 * most + 1);
  const start = most + (draw % rotations);
  return [...sorted.slice(start), ...sorted.slice(0, start)];
}

/** Returns how often the most frequent letter occurs. */
function mostEqual(sorted: readonly string[]): number {
  let [most, count] = [0, 0];
  for (const [index, letter] of sorted.entries()) {
    count = letter === sorted[index - 1] ? count + 1 : 1;
    most = Math.max(most, count);
  }
  return most;
}
