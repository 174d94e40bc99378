// The process that runs apps. It decides nothing and writes nothing but its answers.
import { watchAccess } from './access.ts';
import { answer } from './answer.ts';
import { Channel } from './channel.ts';
import { guardProcess } from './run-guarded.ts';

const channel = new Channel();
const end = process.exit.bind(process);
// Without Node's permission model the parent trusts the apps.
if (Reflect.has(process, 'permission')) watchAccess();
guardProcess();
for (let request = channel.read(); request !== undefined; request = channel.read())
  channel.write(await answer(request));
end(0);
