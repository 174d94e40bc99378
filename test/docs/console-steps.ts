/** A command of a document, and the lines below it. */
export interface ConsoleStep {
  readonly command: string;
  readonly printed: readonly string[];
}

/** The commands of a section's console blocks, in their order. */
export function consoleSteps(markdown: string, heading: string): readonly ConsoleStep[] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const blocks = [...own.matchAll(/```console\n(.*?)```/gs)].map(([, text = '']) => text);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((step) => step !== '')
      .map((step) => {
        const [command = '', ...printed] = step.trimEnd().split('\n');
        // An ellipsis is for lines that are left out.
        return { command, printed: printed.filter((line) => line !== '…') };
      }),
  );
}
