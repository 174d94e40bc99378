import { guardedCalls } from './accepted-properties.gen.ts';
import { guardedFunction } from './guarded-function.ts';
import { guardedOwners } from './guarded-owners.gen.ts';

// Replaces the functions that take properties by functions that check them first. Constructors check their own.
for (const call of Object.keys(guardedCalls)) {
  const [, name = '', separator, member = ''] = /^(\w+)([.#])(\w+)$/.exec(call) ?? [];
  if (!Object.hasOwn(guardedOwners, name)) continue;
  const owner: object = guardedOwners[name as keyof typeof guardedOwners];
  const holder: object = separator === '#' ? Reflect.get(owner, 'prototype') : owner;
  const { value, ...attributes } = Object.getOwnPropertyDescriptor(holder, member) ?? {};
  if (typeof value !== 'function') throw new Error(`${call} is not a function`);
  Object.defineProperty(holder, member, { ...attributes, value: guardedFunction(call, value) });
}
