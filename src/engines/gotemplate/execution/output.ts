import type { Tree } from '../syntax/parser.ts';

/** A part of the output, and the action or text of the template that wrote it. */
export interface OutputSegment {
  /** Offsets in the output, in code units. */
  readonly start: number;
  readonly end: number;
  readonly tree: Tree;
  /** Offset in the text of the tree. */
  readonly position: number;
  readonly isText: boolean;
}

/** What a template writes, with the origin of each part if the caller traces it. */
export class Output {
  readonly #segments: OutputSegment[] | undefined;
  #text = '';

  constructor(traces: boolean) {
    this.#segments = traces ? [] : undefined;
  }

  get text(): string {
    return this.#text;
  }

  get segments(): readonly OutputSegment[] {
    return this.#segments ?? [];
  }

  write(text: string, tree: Tree, position: number, isText: boolean): void {
    const start = this.#text.length;
    this.#text += text;
    if (text !== '') this.#segments?.push({ start, end: this.#text.length, tree, position, isText });
  }
}
