/** Formats a name as code, with as many backticks around it as it requires. */
export function code(text: string): string {
  if (text.trim() === '') return '(empty)';
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const padding = fence.length > 1 ? ' ' : '';
  return `${fence}${padding}${escapePipes(oneLine(text))}${padding}${fence}`;
}

/**
 * Escapes pipes, because in tables a pipe ends a cell, even in code, unless an odd number of backslashes precedes it. Two
 * backslashes are one character there.
 */
function escapePipes(text: string): string {
  return text.replaceAll(/\\+\|?|\|/g, (run) =>
    run.endsWith('|') ? `${run.slice(0, -1)}${run.length % 2 === 0 ? '\\' : ''}\\|` : run,
  );
}

/** Formats a hint, with commands as code. */
export function hintMarkup(hint: string): string {
  return hint
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : escape(part)))
    .join('');
}

/**
 * Returns plain text without effect: it contains no markup, link, reference, mention or line break. GitHub and GitLab look for
 * addresses and references in the rendered text, where a backslash has no effect. A zero-width space prevents that.
 */
export function escape(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_{}[\]<>|#~$&]/g, '\\$&')
    .replaceAll(/[@#!~$&%^](?=[\w"{])|:(?=\/\/)|\bwww(?=\.)|\bGH-(?=\d)|\b(?:mailto|xmpp):/gi, '$&\u200b')
    .replace(/^\//, '\\/');
}

/** Returns a text without line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}

/** Returns the commit of a state, or its name if it is not a commit. The merge of a request is named after the request's own commit. */
export function headWords({ head, merged }: { readonly head: string; readonly merged?: string }): string {
  return merged === undefined ? code(short(head)) : `${code(short(merged))}, merged as ${code(short(head))}`;
}

/** Returns the digits of a commit that are shown. Other names are unchanged. */
function short(name: string): string {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) ? name.slice(0, 12) : name;
}
