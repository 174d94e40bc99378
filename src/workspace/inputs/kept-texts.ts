import { statSync, type BigIntStats } from 'node:fs';
import { RecentTexts } from '../../base/collections/recent-texts.ts';

/** A file as it was read. */
interface KeptText {
  readonly state: string;
  readonly text: string;
}

/**
 * A file that was changed shortly before it was read can be changed again within the resolution of its times, so that only its content
 * shows the second change.
 */
const settledAfter = 1_000_000_000n;

/** The texts of files that do not change between readings, so that a process that reads a workspace again need not decode them. */
export class KeptTexts {
  readonly #now: () => number;
  readonly #texts = new RecentTexts<KeptText>();

  /** @param now - milliseconds since the epoch. @default - the clock that the file system has too */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /**
   * Returns the text of a file: the kept one if the file is unchanged.
   *
   * @param file - its real path
   * @param read - returns the text; undefined if it cannot be decoded, which is not kept
   */
  of(file: string, read: () => string | undefined): string | undefined {
    const before = statSync(file, { bigint: true });
    const state = stateOf(before);
    const kept = this.#texts.get(file);
    if (kept?.state === state) return kept.text;
    const now = BigInt(this.#now()) * 1_000_000n;
    const text = read();
    const changed = before.mtimeNs > before.ctimeNs ? before.mtimeNs : before.ctimeNs;
    if (text !== undefined && before.isFile() && now - changed > settledAfter)
      this.#texts.set(file, { state, text });
    return text;
  }

  /** Forgets the files that were not read since the last call. */
  forgetUnused(): void {
    this.#texts.forgetUnused();
  }
}

function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
