import { Transform } from 'node:stream';
import type { Random } from '../differential/random.ts';

type Json = Readonly<Record<string, unknown>>;

const parts = ['spec', 'status', 'metadata'] as const;

/** Returns an answer in which objects lack something that the API server writes. Nothing in it is forged. */
export function partialObject(text: string, random: Random): string {
  const value = parsed(text);
  if (value === undefined) return text;
  const { items } = value;
  if (!Array.isArray(items)) return JSON.stringify(lessened(value, random));
  return JSON.stringify({
    ...value,
    items: items.map((item: Json | null) =>
      item !== null && random.chance(0.3) ? lessened(item, random) : item,
    ),
  });
}

/** Changes the events of a watch: partial objects, an expired version, lines that are no events. */
export function partialEvents(random: Random): Transform {
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.push(`${random.chance(0.3) ? wrongEvent(line, random) : line}\n`);
      done();
    },
  });
}

function wrongEvent(line: string, random: Random): string {
  const event = parsed(line) ?? {};
  const { object } = event;
  switch (random.between(0, 6)) {
    case 0:
      return JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    case 1:
      return JSON.stringify({ type: 'ERROR', object: null });
    case 2:
      return JSON.stringify({ type: event['type'] });
    case 3:
      return JSON.stringify({ type: 'UNKNOWN', object });
    case 4:
      return random.pick(['', 'null', '[]', '{', 'event']);
    default:
      return JSON.stringify({ ...event, object: lessened((object ?? {}) as Json, random) });
  }
}

/** Returns an object without one of its parts, or of the fields of a part, or with null in its place. */
function lessened(object: Json, random: Random): Json {
  const part = random.pick(parts);
  const inner = object[part];
  if (typeof inner !== 'object' || inner === null || random.chance(0.3)) return without(object, part, random);
  const field = random.pick(Object.keys(inner).length === 0 ? ['none'] : Object.keys(inner));
  return { ...object, [part]: without(inner as Json, field, random) };
}

function without(object: Json, field: string, random: Random): Json {
  if (random.chance(0.5)) return { ...object, [field]: random.pick([null, 7, 'text', [], {}]) };
  const { [field]: _, ...rest } = object;
  return rest;
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
