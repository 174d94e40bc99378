const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

/** Returns a basic string of TOML. */
export function tomlString(text: string): string {
  // oxlint-disable-next-line no-control-regex -- TOML escapes them
  const inner = text.replaceAll(/["\\\u0000-\u001f\u007f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return escapes[character] ?? `\\u${code}`;
  });
  return `"${inner}"`;
}

/** Returns a part of a key, in quotes where TOML requires them. */
export function keyPart(part: string): string {
  return /^[-\w]+$/.test(part) ? part : tomlString(part);
}

/** Returns the parts of a key, joined by dots. */
export function keyText(key: readonly string[]): string {
  return key.map(keyPart).join('.');
}
