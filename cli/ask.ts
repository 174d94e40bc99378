import { createInterface } from 'node:readline/promises';
import { CommandError } from './terminal.ts';

/**
 * Asks at the terminal of the process. What is asked goes to standard error, so that results can be piped.
 *
 * @throws CommandError where the user ends the input instead, with Ctrl-C or Ctrl-D.
 */
export async function ask(question: string, defaultAnswer: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let leave = (): void => {};
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => {
      process.stderr.write('\n');
      reject(new CommandError('no answer; nothing was written'));
    };
  });
  lines.once('close', leave);
  try {
    const answer = await Promise.race([lines.question(`${question} [${defaultAnswer}] `), left]);
    return answer.trim() === '' ? defaultAnswer : answer.trim();
  } finally {
    // Only ours: readline's own listener ends the echo of what is typed, which the next question has again.
    lines.off('close', leave);
    lines.close();
  }
}
