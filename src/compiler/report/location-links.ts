import type { Location } from '../model/origin.ts';
import type { Side } from '../compare/change.ts';
import type { PlanReport } from './plan-report.ts';

/** Returns the URL of a location of the later state; undefined without a base URL, or if the location is not below it. */
export type LinkOf = (location: Location | undefined, side?: Side) => string | undefined;

/** Returns the links of a report. Its base URL is that of the workspace in the later state. */
export function linksOf({ linkBase }: Pick<PlanReport, 'linkBase'>): LinkOf {
  if (linkBase === undefined) return () => undefined;
  const base = linkBase.replace(/\/+$/, '');
  return (location, side = 'head') => {
    const place = location === undefined || 'file' in location ? location : location.source;
    if (place === undefined || side === 'base' || !isBelow(place.file)) return undefined;
    return `${base}/${place.file.split(/[\\/]/).map(encodeURIComponent).join('/')}#L${place.line}`;
  };
}

/** Whether a file is in the workspace, and not standard input. */
function isBelow(file: string): boolean {
  return !/^(?:[/\\]|\.\.(?:[/\\]|$)|[A-Za-z]:|<)/.test(file);
}
