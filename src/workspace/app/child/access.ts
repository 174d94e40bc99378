import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import traceEvents from 'node:trace_events';
import v8 from 'node:v8';
import workerThreads from 'node:worker_threads';
import type { Denied, MissingVariable } from '../message.ts';
import { userFrame } from './user-frame.ts';

/** Maximum number of notes of one kind. */
const mostNotes = 50;
const longestResource = 500;

/** The denied attempts of apps since the notes were last taken. */
let denied = new Map<string, Denied>();
let variables = new Map<string, MissingVariable>();

/** Returns the notes since the last call. */
export function takeNotes(): { denied: readonly Denied[]; variables: readonly MissingVariable[] } {
  const taken = { denied: [...denied.values()], variables: [...variables.values()] };
  denied = new Map();
  variables = new Map();
  return taken;
}

/** Returns the denied access that an error reports; undefined for other errors. */
export function deniedBy(error: unknown): Denied | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED')) return undefined;
  const text = (key: string): string => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value.slice(0, longestResource) : '';
  };
  const source = userFrame(error.stack);
  // Some functions, such as the one that creates links, are denied as a whole and describe it in the message.
  const resource = text('permission') === '' ? text('message') : text('resource');
  return { permission: text('permission'), resource, ...(source && { source }) };
}

function note(error: unknown, parameters: readonly unknown[] = []): void {
  const [first] = parameters;
  // Node does not name the program that a process tried to run.
  if (typeof first === 'string' && deniedBy(error)?.resource === '')
    Object.assign(Object(error), { resource: first });
  const refused = deniedBy(error);
  if (refused === undefined || denied.size >= mostNotes) return;
  const key = JSON.stringify([refused.permission, refused.resource]);
  if (!denied.has(key)) denied.set(key, refused);
}

type AnyFunction = (this: unknown, ...parameters: unknown[]) => unknown;

/**
 * Notes what Node's permission model denies, also if the app catches the error. Denies what the model does not cover: signals to
 * other processes, internals of Node, flags and files that V8 and trace events write and, before Node 25, the network. This is no
 * boundary: it replaces the functions of Node's modules. The boundary is the sandbox around the process.
 */
export function watchAccess(): void {
  watch(fs);
  watch(fs.promises);
  watch(childProcess);
  const { Worker } = workerThreads;
  Object.assign(workerThreads, {
    Worker: class extends Worker {
      constructor(...parameters: ConstructorParameters<typeof Worker>) {
        try {
          super(...parameters);
        } catch (error) {
          note(error);
          throw error;
        }
      }
    },
  });
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd']) deny(process, name, 'Signal');
  for (const name of ['binding', '_linkedBinding', '_startProfilerIdleNotifier'])
    deny(process, name, 'Binding');
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot'])
    deny(v8, name, 'V8');
  deny(traceEvents, 'createTracing', 'TraceEvents');
  // It starts a thread for the hooks.
  deny(module, 'register', 'WorkerThreads');
  denyDatabases();
  deny(net.Socket.prototype, 'connect', 'Net');
  for (const name of ['listen', '_listen2']) deny(net.Server.prototype, name, 'Net');
  deny(net, '_createServerHandle', 'Net');
  for (const name of ['bind', 'connect', 'send', 'addMembership']) deny(dgram.Socket.prototype, name, 'Net');
  const resolvers = [dns.Resolver.prototype, dns.promises.Resolver.prototype];
  for (const holder of [dns, dns.promises, ...resolvers]) {
    for (const name of Object.getOwnPropertyNames(holder))
      if (/^(?:lookup|resolve|reverse)/.test(name)) deny(holder, name, 'Net');
  }
  // The sandbox sets it.
  delete process.env['PWD'];
  process.env = watchedEnvironment(process.env);
  syncBuiltinESMExports();
}

/** Notes what the functions of a Node module throw, reject or pass to a callback. */
function watch(module: object): void {
  for (const name of Object.keys(module)) {
    const original: unknown = Reflect.get(module, name);
    if (typeof original !== 'function' || /^[A-Z_]/.test(name)) continue;
    const call = original as AnyFunction;
    const watched: AnyFunction = function (...parameters) {
      try {
        const result = call.apply(this, parameters.map(withNotes));
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          note(error, parameters);
          throw error;
        });
      } catch (error) {
        note(error, parameters);
        throw error;
      }
    };
    Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original));
    Object.defineProperty(module, name, {
      value: watched,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }
}

function withNotes(parameter: unknown, index: number, all: readonly unknown[]): unknown {
  if (typeof parameter !== 'function' || index !== all.length - 1) return parameter;
  const callback = parameter as AnyFunction;
  const noting: AnyFunction = function (...results) {
    note(results[0]);
    return callback.apply(this, results);
  };
  return noting;
}

function deny(holder: object, name: string, permission: string): void {
  if (!(name in holder)) return;
  // A function that `new` can call, as it calls classes.
  const refuse = function (...parameters: unknown[]): never {
    const resource = parameters
      .map(describeParameter)
      .filter((text) => text !== '')
      .join(' ');
    const message = 'Access to this API has been restricted';
    const error = Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED', permission, resource });
    note(error);
    throw error;
  };
  Object.defineProperty(holder, name, {
    value: refuse,
    writable: false,
    configurable: false,
    enumerable: true,
  });
}

/** SQLite opens files without asking the permission model. Node 20 has no SQLite, and Node 22 does not list it among its modules. */
function denyDatabases(): void {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => object | undefined };
  const sqlite = getBuiltinModule?.('node:sqlite') ?? {};
  for (const name of ['DatabaseSync', 'backup']) deny(sqlite, name, 'Sqlite');
}

/**
 * Describes a parameter, such as the address in `connect({ host, port })`, which Node also calls as `connect([{ host,
 * port }, callback])`.
 */
function describeParameter(parameter: unknown): string {
  if (typeof parameter === 'string' || typeof parameter === 'number') return String(parameter);
  if (Array.isArray(parameter)) return describeParameter(parameter[0]);
  if (typeof parameter !== 'object' || parameter === null) return '';
  const { host, port, path }: { host?: unknown; port?: unknown; path?: unknown } = parameter;
  return [host, port ?? path]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(':');
}

/** Returns the environment, which notes the missing variables that code of the user reads. */
function watchedEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const look = (name: string | symbol): void => {
    if (typeof name !== 'string' || name in environment || variables.size >= mostNotes) return;
    // Libraries read many variables. The caller is behind the two frames of this proxy.
    const source = userFrame(new Error().stack?.split('\n')[3]);
    if (source !== undefined && !variables.has(name) && name.length <= longestResource)
      variables.set(name, { name, source });
  };
  return new Proxy(environment, {
    get: (target, name) => {
      look(name);
      return Reflect.get(target, name) as unknown;
    },
    has: (target, name) => {
      look(name);
      return Reflect.has(target, name);
    },
  });
}
