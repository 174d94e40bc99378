import { isMap, isScalar, parseDocument, Scalar, type YAMLMap } from 'yaml';
import { parseGoDuration } from '../../base/time/duration.ts';
import { diagnostic, hasErrors, type Diagnostic, type Outcome } from '../../compiler/model/diagnostic.ts';
import { yamlDocument } from '../../compiler/emit/yaml.ts';
import type { LoadedObject } from '../../compiler/model/inventory.ts';
import { load } from '../../compiler/load/load.ts';
import { checkValue } from '../../compiler/parameters/check-value.ts';
import { pointAt } from '../../compiler/model/point-at.ts';
import { promotionApiVersion, promotionKind, type Promotion, type PromotionStatus } from './promotion.ts';
import { promotionSchema } from './promotion-schema.ts';
import { gateFaults, type Fault } from './gate-faults.ts';
import { daysOf, isDay, isTimeZone, minutesOf } from './time-window.ts';

/**
 * Reads a promotion file. Undefined if it is not valid: a promotion with a wrong part must not release anything.
 *
 * @param app - the name of the app, which the file name has
 */
export function readPromotion(file: string, text: string, app: string): Outcome<Promotion | undefined> {
  const key = `${app}\n${file}\n${text}`;
  let outcome = recent.get(key);
  if (outcome === undefined) {
    recent.set(key, (outcome = read(file, text, app)));
    const [oldest = ''] = recent.keys();
    if (recent.size > mostRecent) recent.delete(oldest);
  }
  return outcome;
}

/** One command reads the committed state, that of the working tree and the next one several times. They are large. */
const recent = new Map<string, Outcome<Promotion | undefined>>();
const mostRecent = 4;

function read(file: string, text: string, app: string): Outcome<Promotion | undefined> {
  const { value, diagnostics } = load([{ file, text, source: 'app' }]);
  if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
  const [loaded, ...others] = value;
  const found: Diagnostic[] = [...diagnostics];
  const whole = { location: { file, line: 1, column: 1 } };
  if (loaded === undefined || others.length > 0) {
    const message = `the file must contain one ${promotionKind} of ${promotionApiVersion}`;
    return { value: undefined, diagnostics: [...found, diagnostic('FW8040', { message, ...whole })] };
  }
  const faults = faultsOf(loaded, app);
  for (const { path, message, hint } of faults)
    found.push(
      diagnostic('FW8040', { message, ...pointAt(loaded, path), ...(hint !== undefined && { hint }) }),
    );
  if (faults.length > 0) return { value: undefined, diagnostics: found };
  const { spec = {}, status = {} } = loaded.object as Partial<Promotion>;
  return { value: { app, spec, status }, diagnostics: found };
}

function faultsOf(loaded: LoadedObject, app: string): readonly Fault[] {
  const { object } = loaded;
  // The keywords are those of structural schemas.
  const shape = checkValue(object, promotionSchema, promotionKind);
  if (shape.length > 0) return shape;
  const faults: Fault[] = [];
  const { name = '' } = object.metadata;
  if (name !== app)
    faults.push({
      path: ['metadata', 'name'],
      message: `metadata.name is "${name}", but the file is that of app "${app}"`,
      hint: 'the file name and metadata.name are the name of the app',
    });
  const { spec = {}, status = {} } = object as Partial<Promotion>;
  return [...faults, ...gateFaults(spec), ...windowFaults(spec), ...releaseFaults(status)];
}

function* windowFaults({ window }: Promotion['spec']): Generator<Fault> {
  if (window === undefined) return;
  const at = ['spec', 'window'];
  const { timeZone, open = [], closed = [] } = window;
  if (timeZone !== undefined && !isTimeZone(timeZone))
    yield {
      path: [...at, 'timeZone'],
      message: `"${timeZone}" is not a time zone`,
      hint: 'use a name such as Europe/Berlin',
    };
  for (const [index, { from, to }] of open.entries())
    if (minutesOf(from) >= minutesOf(to))
      yield {
        path: [...at, 'open', index],
        message: `the hours end at ${to}, before they begin at ${from}`,
        hint: 'hours past midnight are two entries: until 24:00, and from 00:00 on the next day',
      };
  for (const [index, entry] of closed.entries()) {
    const [first, last] = daysOf(entry);
    const wrong = [first, last].find((day) => !isDay(day));
    if (wrong !== undefined)
      yield { path: [...at, 'closed', index], message: `${wrong} is not a day of the calendar` };
    else if (first > last) yield { path: [...at, 'closed', index], message: `${last} is before ${first}` };
  }
}

function* releaseFaults({ release }: PromotionStatus): Generator<Fault> {
  if (release === undefined) return;
  const at = ['status', 'release'];
  const hint = 'promote writes the status: restore it from Git';
  const { released, waves, gates } = release;
  if (released > waves.length)
    yield {
      path: [...at, 'released'],
      message: `${released} waves are released, but there are ${waves.length}`,
      hint,
    };
  for (const [name, gate] of Object.entries(gates))
    for (const field of ['minSuccessTime', 'progressDeadline'] as const) {
      const duration = gate[field];
      if (duration !== undefined && parseGoDuration(duration) instanceof Error)
        yield { path: [...at, 'gates', name, field], message: `"${duration}" is not a duration`, hint };
    }
  for (const [wave, parts] of waves.entries())
    for (const [index, { gate }] of parts.entries())
      if (!Object.hasOwn(gates, gate))
        yield {
          path: [...at, 'waves', wave, index, 'gate'],
          message: `the release has no gate "${gate}"`,
          hint,
        };
}

/**
 * Returns the text of a promotion file with another status. What people wrote before it stays as it is, including comments. A file in
 * another form than `promote` writes, such as flow style, is written anew, with its comments.
 *
 * @param text - a valid promotion file
 */
export function withStatus(text: string, status: PromotionStatus): string {
  const isEmpty = Object.keys(status).length === 0;
  const document = parseDocument(text);
  const { contents } = document;
  if (isMap(contents) && !endsWithStatus(contents)) {
    contents.flow = false;
    document.delete('status');
    if (!isEmpty) document.set('status', status);
    return document.toString({ lineWidth: 0 });
  }
  const start = startOfStatus(text);
  const written = text.slice(0, start);
  const separator = written === '' || written.endsWith('\n') ? '' : '\n';
  if (isEmpty) return written;
  return `${written}${separator}${yamlDocument({ status })}`;
}

/** Whether the status is the last field, so that it can be replaced without a change of anything else. */
function endsWithStatus({ flow, items }: YAMLMap): boolean {
  if (flow === true) return false;
  const index = items.findIndex(({ key }) => nameOf(key) === 'status');
  if (index < 0) return true;
  const { key } = items[index] ?? {};
  return index === items.length - 1 && isScalar(key) && key.type === Scalar.PLAIN;
}

function startOfStatus(text: string): number {
  return /^status:/m.exec(text)?.index ?? text.length;
}

function nameOf(key: unknown): unknown {
  return isScalar(key) ? key.value : undefined;
}

/** Returns the text of a promotion file in which no wave starts, or in which waves start again. */
export function withPause(text: string, isPaused: boolean): string {
  const document = parseDocument(text);
  if (!isPaused && document.getIn(['spec', 'paused']) === undefined) return text;
  const spec = document.get('spec');
  const hasFields = isMap(spec) && spec.items.length > 0;
  const isPlain = isMap(document.contents) && endsWithStatus(document.contents);
  if (isPlain && !(hasFields && spec.flow === true)) {
    const start = startOfStatus(text);
    const [written, status] = [text.slice(0, start), text.slice(start)];
    const field = /^( +)paused:.*$/m;
    if (field.test(written)) return written.replace(field, `$1paused: ${isPaused}`) + status;
    if (/^spec: *(\{ *\})? *$/m.test(written))
      return written.replace(/^spec:.*$/m, 'spec:\n  paused: true') + status;
    if (spec === undefined) return `${written}spec:\n  paused: true\n${status}`;
  }
  document.setIn(['spec', 'paused'], isPaused);
  return document.toString({ lineWidth: 0 });
}
