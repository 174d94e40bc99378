#!/usr/bin/env node
// The single file is the command, and the program of the processes that run apps.
import { childParameter } from './child-program.ts';

if (process.argv[2] === childParameter) await import('../../workspace/app/child/main.ts');
else await import('../startup/main.ts');
