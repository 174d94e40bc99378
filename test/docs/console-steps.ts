import path from 'node:path';

/** A command of a document, and the lines below it. */
export interface ConsoleStep {
  readonly command: string;
  readonly printed: readonly string[];
}

const applyEdit = path.join(import.meta.dirname, 'apply-edit.mjs');

/** The commands of a section's console blocks, and the edits of its diff blocks, in their order. */
export function consoleSteps(markdown: string, heading: string): readonly ConsoleStep[] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const blocks = [...own.matchAll(/```(console|diff)\n(.*?)```/gs)];
  return blocks.flatMap(([, language = '', text = '']) =>
    language === 'diff' ? [editStep(text)] : commandSteps(text),
  );
}

function commandSteps(block: string): ConsoleStep[] {
  return block
    .split(/^\$ /m)
    .filter((step) => step !== '')
    .map((step) => {
      const [command = '', ...printed] = step.trimEnd().split('\n');
      // An ellipsis is for lines that are left out.
      return { command, printed: printed.filter((line) => line !== '…') };
    });
}

/** Returns a command that makes an edit, so that everything that adapts commands adapts edits too. */
function editStep(diff: string): ConsoleStep {
  return { command: `"${process.execPath}" "${applyEdit}" <<'EDIT'\n${diff}EDIT`, printed: [] };
}
