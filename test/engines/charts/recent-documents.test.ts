import { expect, test } from 'vitest';
import { ManifestDecoder } from '../../../src/engines/charts/rendering/manifests.ts';

/** Returns a document of about a million characters. */
const large = (name: string): string =>
  `kind: ConfigMap\napiVersion: v1\nmetadata: { name: ${name} }\ndata: { a: "${'a'.repeat(1_000_000)}" }\n`;

/** Whether a decoder keeps the object of a text that it decodes now. */
function keeps(decoder: ManifestDecoder, text: string): boolean {
  const [first, again] = [1, 2].map(() => decoder.decode(text, 'a.yaml', 'none'));
  if (!Array.isArray(first) || !Array.isArray(again)) throw new Error('a text that cannot be decoded');
  return first[0].object === again[0].object;
}

function decodeOthers(decoder: ManifestDecoder, count: number, start = 0): void {
  for (let index = start; index < start + count; index++)
    decoder.decode(large(`other-${index}`), 'a.yaml', 'none');
}

test('the objects of texts are kept for the next cluster', () => {
  const decoder = new ManifestDecoder();
  expect(keeps(decoder, large('agent'))).toBe(true);
  for (let round = 0; round < 5; round++) {
    decodeOthers(decoder, 4, 4 * round);
    expect(keeps(decoder, large('agent'))).toBe(true);
  }
});

test('no objects are kept for a while if few of them are used again, and then they are', () => {
  const decoder = new ManifestDecoder();
  decodeOthers(decoder, 9);
  expect(keeps(decoder, large('agent'))).toBe(false);
  decodeOthers(decoder, 9, 9);
  expect(keeps(decoder, large('agent'))).toBe(true);
});
