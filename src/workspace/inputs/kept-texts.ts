import { statSync, type BigIntStats } from 'node:fs';
import { RecentTexts } from '../../base/collections/recent-texts.ts';

/** A file as it was read. */
interface KeptText {
  /** Undefined if the file can be changed without another state, so that it has to be read again. */
  readonly state: string | undefined;
  readonly text: string;
}

/**
 * A file that was changed shortly before it was read can be changed again within the resolution of its times, so that only its content
 * shows the second change.
 */
const settledAfter = 1_000_000_000n;

/** The length from which a text is kept once for all files that have it, such as the fleet of a commit and of the working tree. */
const worthSharing = 65_536;

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
    const decoded = read();
    if (decoded === undefined || !before.isFile()) return decoded;
    const text = this.#earlier(decoded, kept);
    const changed = before.mtimeNs > before.ctimeNs ? before.mtimeNs : before.ctimeNs;
    this.#texts.set(file, { state: now - changed > settledAfter ? state : undefined, text });
    return text;
  }

  /** Returns an equal text that loaded objects keep in memory already. Without one, returns the text. */
  #earlier(text: string, kept: KeptText | undefined): string {
    if (kept?.text === text) return kept.text;
    if (text.length < worthSharing) return text;
    for (const other of this.#texts.values()) if (other.text === text) return other.text;
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
