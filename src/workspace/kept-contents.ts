import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import { emptySharedContent, type SharedContent } from '../compiler/index.ts';
import { RecentTexts } from '../base/collections/recent-texts.ts';
import { KeptTexts } from './inputs/kept-texts.ts';

/** What is kept for one app of one hub, or for the sources that hubs share. */
interface Kept {
  readonly content: SharedContent;
  /** By app: keeps the results of the stages for its states. */
  readonly results: RecentTexts<object>;
}

/**
 * What a process that answers again and again keeps between its answers. It is forgotten if some answers in a row did not use it: the
 * objects of texts that nothing has any more, and removed apps.
 */
export class KeptContents {
  /** The texts of files, see `Host.keptTexts`. */
  readonly texts = new KeptTexts();
  readonly #kept = new RecentTexts<Kept>();
  #answers = 0;

  /** The content of the sources that several hubs share. */
  get sources(): SharedContent {
    return this.#of('sources').content;
  }

  /** Returns the content for a hub. @param hub - its name. Undefined for the only hub of a workspace */
  ofHub(hub: string | undefined): SharedContent {
    return this.#of(`hub ${hub ?? ''}`).content;
  }

  /** Returns what keeps the results of an app for a hub, see `ResolveOptions.results`. */
  results(hub: string | undefined, app: string): object {
    return getOrInsertComputed(this.#of(`hub ${hub ?? ''}`).results, app, () => ({}));
  }

  /** Counts an answer, and forgets what was not used from time to time. */
  beginAnswer(): void {
    this.#answers += 1;
    if (this.#answers % answersPerCleaning !== 0) return;
    for (const { content, results } of this.#kept.values()) {
      content.documents.forgetUnused();
      content.objects.forgetUnused();
      content.files.forgetUnused();
      results.forgetUnused();
    }
    this.texts.forgetUnused();
    this.#kept.forgetUnused();
  }

  #of(name: string): Kept {
    return getOrInsertComputed(this.#kept, name, () => ({
      content: emptySharedContent(),
      results: new RecentTexts<object>(),
    }));
  }
}

const answersPerCleaning = 100;
