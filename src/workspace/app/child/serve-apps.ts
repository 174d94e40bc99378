import { watchAccess } from './access.ts';
import { answer } from './answer.ts';
import { Channel } from './channel.ts';
import { flushOutput, watchOutput } from './flush-output.ts';
import { guardProcess } from './run-guarded.ts';

/** Runs the apps that the parent requests, then ends the process. It decides nothing and writes nothing but its answers. */
export async function serveApps(): Promise<void> {
  const channel = new Channel();
  const end = process.exit.bind(process);
  // Without Node's permission model the parent trusts the apps.
  if (Reflect.has(process, 'permission')) watchAccess();
  watchOutput();
  guardProcess();
  for (let request = channel.read(); request !== undefined; request = channel.read()) {
    const result = await answer(request);
    // The parent may end this process once it has the answer. What a full pipe did not take would be lost.
    await flushOutput();
    channel.write(result);
  }
  end(0);
}
