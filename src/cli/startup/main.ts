#!/usr/bin/env node
import { loadCommand } from './load-command.ts';
import { start } from './start.ts';

await start(loadCommand);
