import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../configuration/operation-settings.ts';

/** Says something about the fields before it: `log.info({ key }, 'approved')`. */
export type Say = (fields: object, message: string) => void;

/** Writes one JSON object a line. */
export interface Log {
  readonly debug: Say;
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
  /** A log whose lines all have these fields. */
  child(fields: object): Log;
}

/** What never stands in a log, wherever a field of these names comes in. */
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
  /** In every line. */
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
      // Every key that is worked on has one, and of most nothing is ever said: what is costly of it is made at its first word.
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
