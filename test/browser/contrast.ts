/**
 * The texts in view that are too faint to read after WCAG's AA: less than 4.5 times as light as what is behind them, or the
 * other way round. Runs in the page.
 */
export function faintTexts(): string[] {
  /** Red, green, blue from 0 to 1, and opacity. */
  type Color = readonly [number, number, number, number];
  const read = (text: string): Color => {
    const [red = 0, green = 0, blue = 0, opacity = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
    const most = text.startsWith('color(') ? 1 : 255;
    return [red / most, green / most, blue / most, opacity];
  };
  const luminance = (color: Color): number => {
    const [red = 0, green = 0, blue = 0] = color.map((share) =>
      share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const probe = document.createElement('p');
  probe.style.backgroundColor = 'Canvas';
  document.body.append(probe);
  const canvas = read(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const behind = (element: Element | null): Color => {
    if (element === null) return canvas;
    const color = read(getComputedStyle(element).backgroundColor);
    return color[3] === 0 ? behind(element.parentElement) : color;
  };
  const opacityOf = (element: Element | null): number =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);

  const root = document.querySelector('dialog[open]') ?? document.body;
  const faint: string[] = [];
  let seen = 0;
  for (const element of root.querySelectorAll('*')) {
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = texts.map(({ textContent }) => textContent?.trim() ?? '').join('');
    if (text === '' || !element.checkVisibility() || element.closest('script, style') !== null) continue;
    seen += 1;
    const color = read(getComputedStyle(element).color);
    const back = behind(element);
    const opacity = color[3] * opacityOf(element);
    const mix = (index: 0 | 1 | 2): number => color[index] * opacity + back[index] * (1 - opacity);
    const [a, b] = [luminance([mix(0), mix(1), mix(2), 1]), luminance(back)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${text}: ${contrast.toFixed(2)}`);
  }
  return seen === 0 ? ['there are no texts'] : faint;
}
