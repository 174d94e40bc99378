import { RE2JS } from 're2js';

/**
 * Returns the pattern of an id such as `deployments:agent:main`: a part that is `*` matches everything, and any other part is a
 * regular expression. Undefined if Go cannot compile it. As addon-framework GetRegexResourceRequirements.
 */
export function idPattern(id: string): RE2JS | undefined {
  const parts = id.split(':').map((part) => (part === '*' ? '.+' : part));
  try {
    return RE2JS.compile(`^${parts.join(':')}$`);
  } catch {
    return undefined;
  }
}
