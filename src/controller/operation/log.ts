import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../configuration/operation-settings.ts';

/** Logs a message about the fields before it: `log.info({ key }, 'approved')`. */
export type Say = (fields: object, message: string) => void;

/** Writes one JSON object per line. */
export interface Log {
  readonly debug: Say;
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
  /** Returns a log whose lines all have these fields. */
  child(fields: object): Log;
}

/** Fields that are never logged, at any depth. */
const secretFields = [
  'authorization',
  'Authorization',
  'token',
  'password',
  'key',
  'privateKey',
  'tls.key',
  'data',
  'stringData',
  'certificate',
  'kubeconfig',
];

export interface LogOptions {
  readonly level: LogLevel;
  /** Fields of every line. */
  readonly fields: Readonly<Record<string, string>>;
  /** @default standard output */
  readonly destination?: DestinationStream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createLog({ level, fields, destination, now }: LogOptions): Log {
  const options = {
    level,
    base: fields,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths(), censor: '[redacted]' },
  };
  const logger = destination === undefined ? pino(options) : pino(options, destination);
  return logOver(() => logger);
}

function logOver(logger: () => Logger): Log {
  return {
    debug: (fields, message) => logger().debug(fields, message),
    info: (fields, message) => logger().info(fields, message),
    warn: (fields, message) => logger().warn(fields, message),
    error: (fields, message) => logger().error(fields, message),
    child: (fields) => {
      // Every key in progress has one, and most never log anything: the expensive part is created at the first
      // message.
      let child: Logger | undefined;
      return logOver(() => (child ??= logger().child(fields)));
    },
  };
}

function secretPaths(): string[] {
  return secretFields.flatMap((field) => {
    const step = `["${field}"]`;
    return [step, `*${step}`, `*.*${step}`];
  });
}
