import * as module from 'node:module';
import type { AppCode, AppCodeOptions } from '../../workspace/app/app-code.ts';
import { UserError } from '../../workspace/user-error.ts';

/**
 * Returns the code of an app unchanged: Node's own support for TypeScript runs it in the child.
 *
 * @throws UserError if this version of Node does not support it
 */
export function prepareApp(file: string, { root }: Pick<AppCodeOptions, 'root'>): Promise<AppCode> {
  const features: object = process.features;
  if (/\.[cm]?ts$/.test(file) && !Reflect.get(features, 'typescript')) throw tooOld('TypeScript apps');
  if (!Reflect.has(module, 'registerHooks')) throw tooOld('apps');
  return Promise.resolve({ module: file, userCode: [`${root}/`], locate: (frame) => frame });
}

function tooOld(what: string): UserError {
  return new UserError(
    `${what} cannot run here: this is Node ${process.versions.node}`,
    'the single file runs them on Node 22.18 or later; the npm package on any Node that it supports',
  );
}
