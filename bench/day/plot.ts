/** A line of a plot: points from left to right. */
export interface PlotLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  /** What the vertical axis counts. */
  readonly unit: string;
  /** The end of the horizontal axis, which begins at 0 and counts hours. */
  readonly hours: number;
  /** Vertical lines with a text, by their hours. */
  readonly marks: Readonly<Record<number, string>>;
  readonly lines: readonly PlotLine[];
}

const [width, height] = [860, 300];
const inner = { left: 60, right: 28, top: 34, bottom: 58 } as const;
/** Colors that differ for people with color blindness, too. */
const colors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

/** Returns a plot as SVG, for light and dark pages. */
export function svg({ title, unit, hours, marks, lines }: Plot): string {
  const most = Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(([, y]) => y)));
  const step = roundStep(most / 4);
  const top = Math.ceil(most / step) * step;
  const plotWidth = width - inner.left - inner.right;
  const plotHeight = height - inner.top - inner.bottom;
  const x = (hour: number): string => (inner.left + (hour / hours) * plotWidth).toFixed(1);
  const y = (value: number): string => (inner.top + (1 - value / top) * plotHeight).toFixed(1);
  const parts: string[] = [
    `<text class="title" x="${inner.left}" y="16">${escaped(title)} (${escaped(unit)})</text>`,
  ];
  for (let value = 0; value <= top * 1.0001; value += step)
    parts.push(
      `<path class="grid" d="M${x(0)} ${y(value)}H${x(hours)}"/>`,
      `<text x="${inner.left - 6}" y="${y(value)}" dy="4" text-anchor="end">${numberText(value)}</text>`,
    );
  for (let hour = 0; hour <= hours; hour += 4)
    parts.push(
      `<text x="${x(hour)}" y="${height - inner.bottom + 16}" text-anchor="middle">${hour}:00</text>`,
    );
  for (const [hour, text] of Object.entries(marks))
    parts.push(
      `<path class="mark" d="M${x(Number(hour))} ${inner.top}V${height - inner.bottom}"><title>${escaped(text)}</title></path>`,
    );
  lines.forEach(({ name, points }, index) => {
    const color = colors[index % colors.length] ?? '';
    const path = points.map(([hour, value]) => `${x(Math.min(hour, hours))} ${y(value)}`).join('L');
    const left = inner.left + index * 150;
    parts.push(
      `<path fill="none" stroke="${color}" stroke-width="1.6" d="M${path}"/>`,
      `<path stroke="${color}" stroke-width="3" d="M${left} ${height - 14}h18"/>`,
      `<text x="${left + 24}" y="${height - 10}">${escaped(name)}</text>`,
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 12px sans-serif; fill: #333 } .title { font-weight: bold }
.grid { stroke: #ddd } .mark { stroke: #999; stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } }
</style>
${parts.join('\n')}
</svg>
`;
}

/** Returns 1, 2 or 5 times a power of ten that is at least as large. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((each) => each * power >= least) ?? 10) * power;
}

function numberText(value: number): string {
  return value >= 10 || value === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
