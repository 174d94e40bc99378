/** Returns a YAML scalar: plain if YAML 1.1 reads the same string, otherwise quoted. */
export function yamlString(text: string): string {
  return /^[a-z./][\w./@:-]*$/i.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$|:$/i.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`;
}
