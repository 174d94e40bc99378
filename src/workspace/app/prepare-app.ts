import * as module from 'node:module';
import { isSingleFile } from '../is-single-file.ts';
import { UserError } from '../user-error.ts';
import type { AppCode, AppCodeOptions } from './app-code.ts';
import { compileApp, type Build } from './compile-app.ts';

/**
 * Returns the code of an app in a form that a child process can import. esbuild compiles it if it is installed. Otherwise
 * Node's own support for TypeScript runs the files of the user unchanged. No code is run.
 *
 * @throws UnreadableApp if a file has an error or imports a missing module, and esbuild compiles it
 * @throws UserError if the app is TypeScript, which this Node does not support, and esbuild is not installed
 */
export async function prepareApp(file: string, options: AppCodeOptions): Promise<AppCode> {
  const build = isSingleFile ? undefined : await installedBuild();
  if (build !== undefined) return await compileApp(build, file, options);
  if (!canRun(file)) throw tooOld(file);
  return { module: file, userCode: [`${options.root}/`], locate: (frame) => frame };
}

async function installedBuild(): Promise<Build | undefined> {
  try {
    const { build } = await import('esbuild');
    return build;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Whether this Node can run an app without esbuild. The single file also needs hooks for the modules that it provides. */
function canRun(file: string): boolean {
  if (/\.[cm]?tsx?$/.test(file)) return Boolean(Reflect.get(process.features, 'typescript'));
  return !isSingleFile || Reflect.has(module, 'registerHooks');
}

function tooOld(file: string): UserError {
  const what = /\.[cm]?tsx?$/.test(file) ? 'TypeScript apps' : 'apps';
  return isSingleFile
    ? new UserError(
        `${what} cannot run here: this is Node ${process.versions.node}`,
        'the single file runs them on Node 22.18 or later; the npm package on any Node that it supports',
      )
    : new UserError(
        `${what} cannot run here: Node ${process.versions.node} does not support TypeScript, and esbuild is not installed`,
        'use Node 22.18 or later, or run npm install --save-dev esbuild',
      );
}
