import { Integer, TemplateLimitError, type Value } from '../../gotemplate/index.ts';
import { goInteger, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import { RecentTexts } from '../../../base/collections/recent-texts.ts';
import type { ChartFault } from '../chart-fault.ts';
import { checkFinite, readYaml } from '../yaml/read.ts';
import { YamlError } from '../yaml/yaml-error.ts';
import type { ChartHook } from './hooks.ts';
import { documentsOf, trimmedDocumentsOf } from './documents.ts';

/** A document of a template, as an object. */
export interface DecodedDocument {
  readonly object: GoJsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly text: string;
  /** The line of the template's output where the document begins, counted from 1. */
  readonly line: number;
}

/** An object that a chart renders. */
export interface RenderedManifest extends DecodedDocument {
  /** In the files of the chart, such as `templates/deployment.yaml` or `crds/agent.yaml`. */
  readonly file: string;
  /** By Helm's rules, if the object is a hook. */
  readonly hook?: ChartHook;
}

/** How a text is split into documents: as apimachinery's reader or Helm's client does, or not at all. */
export type Splitting = 'reader' | 'client' | 'none';

/** Undefined for a document without a kind, null for one without anything. */
type Decoded = Pick<DecodedDocument, 'object' | 'apiVersion' | 'kind'> | undefined | null;

/** Decodes rendered texts, and keeps the objects of recent texts: most documents are the same on many clusters. */
export class ManifestDecoder {
  /** The objects of whole texts, for each way to split them. */
  readonly #whole: Readonly<Record<Splitting, RecentTexts<readonly DecodedDocument[]>>> = {
    reader: new RecentTexts(),
    client: new RecentTexts(),
    none: new RecentTexts(),
  };
  readonly #recent = new RecentTexts<{ readonly decoded: Decoded }>();
  /** Characters of the texts that were decoded since others were forgotten. */
  #size = 0;
  /** Characters of the texts that did not have to be decoded meanwhile. */
  #repeated = 0;
  /** How often others are forgotten before new texts are kept again; more each time that few of those that were kept are repeated. */
  #pause = 0;
  #remainingPause = 0;

  /**
   * Returns the objects of a text, or the first fault.
   *
   * @param file - what the text was rendered from
   * @param splitting - with `reader`, documents without a kind are skipped, and otherwise only empty ones
   */
  decode(text: string, file: string, splitting: Splitting): readonly DecodedDocument[] | ChartFault {
    const recent = this.#whole[splitting].get(text);
    if (recent !== undefined) {
      this.#repeated += text.length;
      return recent;
    }
    const decoded = this.#decode(text, file, splitting);
    if (Array.isArray(decoded) && this.#isKeeping) this.#whole[splitting].set(text, decoded);
    return decoded;
  }

  #decode(text: string, file: string, splitting: Splitting): DecodedDocument[] | ChartFault {
    const normalized = splitting === 'reader' ? withLineEnds(text) : text;
    const documents = documentsBy(splitting, normalized);
    if (!Array.isArray(documents))
      return {
        code: 'FW6030',
        message: `${documents.message} (line ${String(lineAt(normalized, documents.offset))} of the output)`,
        file,
        hint: 'write only a comment behind `---`',
      };
    const decoded: DecodedDocument[] = [];
    let [line, counted] = [1, 0];
    for (const { text: document, start } of documents) {
      line += linesBetween(normalized, counted, start);
      counted = start;
      const result = this.#document(document);
      if (result instanceof TemplateLimitError) return { code: 'FW6029', message: result.message, file };
      if (result instanceof YamlError)
        return {
          code: 'FW6030',
          message:
            result.line === undefined
              ? result.message
              : `${result.message} (line ${String(line + result.line - 1)} of the output)`,
          file,
        };
      if (typeof result === 'string') return { code: 'FW6031', message: result, file };
      // Programs that embed the engine skip documents of templates without a kind, and no others.
      const needsKind = splitting === 'none' || (splitting === 'client' && result === undefined);
      if (needsKind && (result === undefined || result === null))
        return { code: 'FW6031', message: `Object 'Kind' is missing in '${document}'`, file };
      if (result !== undefined && result !== null) decoded.push({ ...result, text: document, line });
    }
    return decoded;
  }

  #document(text: string): Decoded | YamlError | TemplateLimitError | string {
    const recent = this.#recent.get(text);
    if (recent !== undefined) {
      this.#repeated += text.length;
      return recent.decoded;
    }
    const decoded = decodeDocument(text);
    if (decoded instanceof Error || typeof decoded === 'string') return decoded;
    this.#size += text.length;
    if (this.#size > mostRecent) this.#forget();
    if (this.#isKeeping) this.#recent.set(text, { decoded });
    return decoded;
  }

  get #isKeeping(): boolean {
    return this.#remainingPause === 0;
  }

  /** Large objects that are kept and never used again are collected late, so that they need much memory. */
  #forget(): void {
    this.#recent.forgetUnused();
    for (const texts of Object.values(this.#whole)) texts.forgetUnused();
    if (!this.#isKeeping) this.#remainingPause -= 1;
    else {
      this.#pause = this.#repeated * 4 < this.#size ? Math.min(2 * this.#pause + 1, longestPause) : 0;
      this.#remainingPause = this.#pause;
    }
    this.#size = 0;
    this.#repeated = 0;
  }
}

function documentsBy(splitting: Splitting, text: string): ReturnType<typeof documentsOf> {
  if (splitting === 'none') return [{ text, start: 0 }];
  return splitting === 'client' ? trimmedDocumentsOf(text) : documentsOf(text);
}

/** As the LineReader of k8s.io/apimachinery: every line ends with a line feed, also the last one. */
function withLineEnds(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** How many characters are decoded before the texts that were not asked for meanwhile are forgotten. */
const mostRecent = 8 * 1024 * 1024;
const longestPause = 15;

function decodeDocument(text: string): Decoded | YamlError | TemplateLimitError | string {
  const value = /^\s*\{/.test(text) ? readJson(text) : readAsJson(text);
  if (value instanceof Error) return value;
  if (typeof value === 'string') return `couldn't get version/kind; json parse error: ${value}`;
  const object = value.value;
  if (object === null) return null;
  if (typeof object !== 'object' || Array.isArray(object))
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindOf(object)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
  const { apiVersion, kind } = object as GoJsonObject;
  for (const [name, field] of Object.entries({ apiVersion, kind }))
    if (field !== undefined && field !== null && typeof field !== 'string')
      return `couldn't get version/kind; json parse error: json: cannot unmarshal ${kindOf(field)} into Go struct field .${name} of type string`;
  if (typeof kind !== 'string' || kind === '') return undefined;
  if (typeof apiVersion !== 'string' || apiVersion === '')
    return `Object 'apiVersion' is missing in '${text}'`;
  return { object: object as GoJsonObject, apiVersion, kind };
}

type Read = { readonly value: GoJsonValue };

/** Go reads a document that begins as JSON only as JSON. */
function readJson(text: string): Read | string {
  const parsed = parseGoJson(text);
  return 'error' in parsed ? parsed.error : parsed;
}

function readAsJson(text: string): Read | YamlError | TemplateLimitError {
  try {
    return { value: jsonOf(readYaml(text)) };
  } catch (error) {
    if (error instanceof YamlError || error instanceof TemplateLimitError) return error;
    throw error;
  }
}

const ownProperty = { configurable: true, enumerable: true, writable: true };

/** Integers keep their digits. */
function jsonOf(value: Value): GoJsonValue {
  if (value instanceof Integer) return goInteger(value.value);
  if (Array.isArray(value)) return (value as readonly Value[]).map(jsonOf);
  if (value instanceof Map) {
    const object: Record<string, GoJsonValue> = {};
    for (const [key, item] of value)
      // An assignment would not add this key.
      if (key === '__proto__') Object.defineProperty(object, key, { value: jsonOf(item), ...ownProperty });
      else object[key] = jsonOf(item);
    return object;
  }
  return typeof value === 'number' ? checkFinite(value) : (value as GoJsonValue);
}

function kindOf(value: GoJsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'number';
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object';
  return typeof value;
}

function lineAt(text: string, offset: number): number {
  return 1 + linesBetween(text, 0, offset);
}

function linesBetween(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
