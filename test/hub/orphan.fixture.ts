// Starts a hub, says which process and folder are its, and waits to be killed.
import { startHub } from './process/start-hub.ts';

const hub = await startHub();
process.stdout.write(`${JSON.stringify({ pid: hub.process.pid, kubeconfig: hub.kubeconfig })}\n`);
