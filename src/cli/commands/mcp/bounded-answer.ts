import { isJsonMap } from '../../../base/json/json-map.ts';
import { counted } from '../../../compiler/model/words.ts';

/** The maximum number of characters of an answer: about 10,000 tokens. */
export const mostCharacters = 40_000;

/** A part of an answer that fits, and what it leaves out. */
export interface BoundedAnswer {
  readonly answer: unknown;
  /** One sentence. Absent if nothing is left out. */
  readonly leftOut?: string;
}

/**
 * Shortens an answer to a number of characters: first without parts that only programs read, then with shorter lists and texts. What is
 * left out is counted, so that nobody takes the answer for complete.
 *
 * @param narrower - how to ask for less
 */
export function boundedAnswer(answer: unknown, narrower: string, most = mostCharacters): BoundedAnswer {
  if (JSON.stringify(answer).length <= most) return { answer };
  const { effects, ...rest } = isJsonMap(answer) ? answer : { effects: undefined };
  const isPlan = isJsonMap(answer) && isJsonMap(effects) && 'exceeded' in effects;
  const whole = isPlan ? rest : answer;
  for (const entries of [200, 100, 50, 20, 10, 5, 3, 2, 1, 0]) {
    const cut = { entries: 0, texts: 0 };
    const shorter = shortened(whole, { entries, characters: Math.max(100, entries * 20) }, cut);
    if (JSON.stringify(shorter).length > most) continue;
    const parts = [
      ...(isPlan ? ['the digests in "effects"'] : []),
      ...(cut.entries > 0 ? [counted(cut.entries, 'item')] : []),
      ...(cut.texts > 0 ? [`the rest of ${counted(cut.texts, 'long text')}`] : []),
    ];
    return {
      answer: shorter,
      leftOut: `Left out, because the answer is longer than ${most} characters: ${parts.join(', ')}. Lists have at most ${counted(entries, 'item')}. To see the rest, ask for less: ${narrower}.`,
    };
  }
  return {
    answer: {},
    leftOut: `Left out: the whole answer, which is longer than ${most} characters. Ask for less: ${narrower}.`,
  };
}

interface Limits {
  readonly entries: number;
  readonly characters: number;
}

function shortened(value: unknown, limits: Limits, cut: { entries: number; texts: number }): unknown {
  if (Array.isArray(value)) {
    cut.entries += Math.max(0, value.length - limits.entries);
    return value.slice(0, limits.entries).map((each) => shortened(each, limits, cut));
  }
  if (typeof value === 'string' && value.length > limits.characters) {
    cut.texts++;
    return `${value.slice(0, limits.characters)}…`;
  }
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shortened(each, limits, cut)]),
  );
}
