/**
 * Creates an element. Texts become text nodes and attributes become attributes, whatever they contain: nothing on the
 * page is ever parsed as HTML.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/** Returns a button with its action. */
export function button(
  attributes: Readonly<Record<string, string>>,
  label: string,
  press: () => void,
): HTMLButtonElement {
  const created = element('button', { type: 'button', ...attributes }, label);
  created.addEventListener('click', press);
  return created;
}

/** Returns a list of texts; nothing if there are none. */
export function list(texts: readonly string[], attributes: Readonly<Record<string, string>> = {}): Node[] {
  return texts.length === 0
    ? []
    : [element('ul', attributes, ...texts.map((text) => element('li', {}, text)))];
}

/** `1 cluster`, `2,000 clusters`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
