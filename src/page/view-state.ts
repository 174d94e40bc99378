/** What the reader chose on the page, by names: numbers differ in the next plan. */
export interface ViewState {
  readonly values: ReadonlyMap<string, string>;
  readonly effect: string;
  readonly open: ReadonlySet<string>;
  readonly closed: ReadonlySet<string>;
  readonly top: number;
  readonly matrixTop: number;
}

const fields = '#search, #add-on, .controls select.label';

/** Returns the state of the controls, of the sections, and of scrolling. */
export function readView(): ViewState {
  const sections = [...document.querySelectorAll('details')];
  return {
    values: new Map(
      [...document.querySelectorAll<Field>(fields)].map((field) => [nameOf(field), textOf(field)]),
    ),
    effect: document.querySelector<HTMLInputElement>('[name=effect]:checked')?.value ?? '',
    open: new Set(sections.filter(({ open }) => open).map(titleOf)),
    closed: new Set(sections.filter(({ open }) => !open).map(titleOf)),
    top: document.documentElement.scrollTop,
    matrixTop: document.querySelector('#matrix')?.scrollTop ?? 0,
  };
}

/** Sets what still exists in another plan. */
export function restoreView({ values, effect, open, closed, top, matrixTop }: ViewState): void {
  for (const field of document.querySelectorAll<Field>(fields)) {
    const text = values.get(nameOf(field)) ?? '';
    if (text === '' || text === textOf(field)) continue;
    const option =
      field instanceof HTMLSelectElement
        ? [...field.options].find((each) => optionText(each) === text)
        : undefined;
    if (field instanceof HTMLSelectElement && option === undefined) continue;
    field.value = option?.value ?? text;
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input'));
  }
  const choice = [...document.querySelectorAll<HTMLInputElement>('[name=effect]')].find(
    ({ value }) => value === effect,
  );
  if (choice !== undefined && !choice.checked) {
    choice.checked = true;
    choice.dispatchEvent(new Event('change'));
  }
  for (const section of document.querySelectorAll('details')) {
    if (open.has(titleOf(section))) section.open = true;
    else if (closed.has(titleOf(section))) section.open = false;
  }
  const matrix = document.querySelector('#matrix');
  if (matrix !== null) matrix.scrollTop = matrixTop;
  document.documentElement.scrollTop = top;
}

type Field = HTMLInputElement | HTMLSelectElement;

function nameOf(field: Field): string {
  return field.getAttribute('aria-label') ?? '';
}

function textOf(field: Field): string {
  if (!(field instanceof HTMLSelectElement)) return field.value;
  const [selected] = field.selectedOptions;
  return field.value === '' || selected === undefined ? '' : optionText(selected);
}

/** The text without the number of clusters, which changes. */
function optionText({ text }: HTMLOptionElement): string {
  return text.replace(/ \([\d,]+\)$/, '');
}

function titleOf(section: HTMLDetailsElement): string {
  return (section.querySelector('summary b, summary')?.textContent ?? '').trim();
}
