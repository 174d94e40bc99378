import { createInterface } from 'node:readline/promises';
import { UserError } from '../../workspace/user-error.ts';

/**
 * Prompts at the terminal of the process. The prompt goes to standard error, so that results can be piped.
 *
 * @throws UserError if the user ends the input instead, with Ctrl-C or Ctrl-D.
 */
export async function ask(question: string, defaultAnswer: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let leave = (): void => {};
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => {
      process.stderr.write('\n');
      reject(new UserError('no answer; nothing was written'));
    };
  });
  lines.once('close', leave);
  try {
    const answer = await Promise.race([lines.question(`${question} [${defaultAnswer}] `), left]);
    return answer.trim() === '' ? defaultAnswer : answer.trim();
  } finally {
    // Remove only our listener: readline's own listener ends the echo of typed characters, which the next prompt
    // needs.
    lines.off('close', leave);
    lines.close();
  }
}
