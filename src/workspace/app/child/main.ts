// The process that runs apps.
import { serveApps } from './serve-apps.ts';

await serveApps();
