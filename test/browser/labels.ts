/**
 * Returns the labels that do not have all of their text in view: heads of columns and rows, cells, and the names, times and waves
 * of timelines. Runs in the page.
 */
export function cutTexts(): string[] {
  const labels = document.querySelectorAll<HTMLElement>(
    '[role=columnheader], [role=rowheader], [role=gridcell], .when, .lane, .wave, .groups th, .part summary',
  );
  return [...labels]
    .filter((label) => {
      const box = label.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(label);
      return [...range.getClientRects()].some(
        (text) =>
          text.width > 0 &&
          text.height > 0 &&
          (text.left < box.left - 1 ||
            text.right > box.right + 1 ||
            text.top < box.top - 1 ||
            text.bottom > box.bottom + 1),
      );
    })
    .map((label) => label.textContent ?? '');
}

/** Returns the number of add-ons in the matrix whose columns are fully in view before anybody scrolls. Runs in the page. */
export function columnsInView(): number {
  const matrix = document.querySelector('#matrix')?.getBoundingClientRect();
  const [names, ...columns] = [...document.querySelectorAll('#matrix [role=columnheader]')].map((head) =>
    head.getBoundingClientRect(),
  );
  if (matrix === undefined || names === undefined) return 0;
  const end = Math.min(matrix.right, innerWidth) + 1;
  return columns.filter(({ left, right }) => left >= names.right - 1 && right <= end).length;
}
