import { escapeHtml } from './html/escape-html.ts';

/** The parts of a self-contained HTML file. */
export interface HtmlPage {
  readonly title: string;
  /** The Content-Security-Policy in addition to `default-src 'none'`, which allows nothing. */
  readonly policy: string;
  readonly style: string;
  /** Markup, each line with its end. */
  readonly body: string;
}

/** Formats a self-contained HTML file that loads nothing. */
export function htmlPage({ title, policy, style, body }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}</body>
</html>
`;
}

/** The policy of a page without scripts. */
export const stylesOnly = "style-src 'unsafe-inline'";
