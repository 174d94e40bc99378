import type { Diagnostic } from '../../compiler/index.ts';
import { findingsOfHubs } from '../hub-findings.ts';

/** Prints findings. */
export type Report = (diagnostics: readonly Diagnostic[], texts: ReadonlyMap<string, string>) => void;

/** The findings of a command for several hubs. Those of one hub are printed immediately, those of several at the end, each once. */
export class HubReports {
  readonly #print: Report;
  readonly #isSeveral: boolean;
  readonly #hubs: { hub: string | undefined; diagnostics: Diagnostic[] }[] = [];
  readonly #texts = new Map<string, string>();

  constructor(print: Report, isSeveral: boolean) {
    this.#print = print;
    this.#isSeveral = isSeveral;
  }

  /** Returns the function that reports the findings of one hub. */
  ofHub(hub: string | undefined): Report {
    if (!this.#isSeveral) return this.#print;
    const diagnosticsOfHub: Diagnostic[] = [];
    this.#hubs.push({ hub, diagnostics: diagnosticsOfHub });
    return (diagnostics, texts) => {
      diagnosticsOfHub.push(...diagnostics);
      // Only findings show texts.
      if (diagnostics.length > 0) for (const [file, text] of texts) this.#texts.set(file, text);
    };
  }

  /** Prints the collected findings. */
  print(): void {
    if (this.#isSeveral) this.#print(findingsOfHubs(this.#hubs), this.#texts);
  }
}
