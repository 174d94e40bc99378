import type { Diagnostic, LeftOnHub } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';

/** Reports each object that Git no longer has, that no engine deletes, and that nothing on the hub uses, with the command that does. */
export function unusedOnHub({ objects }: LeftOnHub): readonly Diagnostic[] {
  return objects.flatMap(({ object, reason, command }) =>
    command === undefined
      ? []
      : [
          diagnostic('FW9155', {
            message: `${object} is on the hub, but no longer in Git, and nothing uses it: ${reason}`,
            hint: `to delete it: \`${command}\``,
          }),
        ],
  );
}
