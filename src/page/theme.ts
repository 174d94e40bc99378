import { element } from './element.ts';

const themes = ['system', 'light', 'dark'];

/** Returns a choice between light, dark and the system's theme. The style sheet depends on `data-theme`. */
export function themeChoice(): HTMLElement {
  const choice = element(
    'select',
    { id: 'theme' },
    ...themes.map((theme) => element('option', { value: theme }, theme)),
  );
  choice.addEventListener('change', () => {
    document.documentElement.dataset['theme'] = choice.value;
  });
  return element('label', {}, 'Colors ', choice);
}
