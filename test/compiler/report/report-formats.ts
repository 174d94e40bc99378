import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

function validator(schema: URL): (document: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}

const planFaultsOf = validator(new URL('../../../schemas/plan.json', import.meta.url));
const sarifFaultsOf = validator(new URL('sarif.schema.json', import.meta.url));

/** What is wrong with a plan in JSON. */
export function planJsonFaults(text: string): readonly string[] {
  return planFaultsOf(JSON.parse(text));
}

/** What is wrong with a file in SARIF. */
export function sarifFaults(text: string): readonly string[] {
  return sarifFaultsOf(JSON.parse(text));
}

/** What is wrong with a comment in Markdown: parts that begin and do not end, tables whose rows have other columns. */
export function markdownFaults(text: string): readonly string[] {
  const faults: string[] = [];
  let inCode = false;
  let details = 0;
  let columns = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const fault = (words: string): number => faults.push(`line ${index + 1}: ${words}: ${line}`);
    if (/^ {0,3}```/.test(line)) {
      if (inCode && line.trim() !== '```') fault('code inside of code');
      inCode = !inCode;
      continue;
    }
    if (inCode) {
      if (!/^(?:[-+] |@@ .* @@$|and \d+ more (?:value|field)| {4})/.test(line))
        fault('no line of a difference');
      continue;
    }
    const markup = line.replaceAll(/\\./g, '').replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    details += (markup.match(/<details>/g) ?? []).length - (markup.match(/<\/details>/g) ?? []).length;
    if (details < 0 || details > 1) fault('details that do not match');
    if (!line.startsWith('|')) {
      columns = 0;
      continue;
    }
    const cells = line.replaceAll(/\\[\\|]/g, '').split('|').length - 2;
    if (columns !== 0 && cells !== columns) fault(`a row of ${cells} in a table of ${columns}`);
    columns = cells;
  }
  if (inCode) faults.push('code that does not end');
  if (details !== 0) faults.push('details that do not end');
  return faults;
}
