import { createColors } from 'picocolors';
import type { PlanTextOptions, Tone } from '../../compiler/index.ts';
import type { Terminal } from './terminal.ts';

/** Returns the colors of reports by meaning; none if the terminal shows no colors. */
export function painter({ colorOut = false }: Terminal): PlanTextOptions['paint'] {
  const { bold, red, green, yellow, dim } = createColors(colorOut);
  const colors: Readonly<Record<Tone, (text: string) => string>> = {
    alarm: (text) => bold(red(text)),
    loss: red,
    gain: green,
    change: yellow,
    quiet: dim,
    heading: bold,
  };
  return (tone, text) => colors[tone](text);
}
