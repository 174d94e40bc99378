/** The style of the plan's page: light and dark as the reader's system is, and no script. */
export const planStyle = `
:root { color-scheme: light dark; --line: #8884; --uninstalled: #c53030; --installed: #2f855a; --changed: #b7791f; --rerolled: #2f6feb; --moved: #777; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.4rem; } h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { overflow-x: auto; margin: 0.4rem 0; }
.alarm { border-left: 4px solid var(--uninstalled); padding: 0.4rem 0.8rem; font-weight: 600; }
.group { border-left: 4px solid var(--line); padding: 0.2rem 0.8rem; margin: 0.5rem 0; scroll-margin-top: 1rem; }
.group:target { outline: 3px solid Highlight; }
.uninstalled { --effect: var(--uninstalled); } .installed { --effect: var(--installed); } .changed { --effect: var(--changed); }
.rerolled { --effect: var(--rerolled); } .moved { --effect: var(--moved); }
.group { border-color: var(--effect); } .group b { color: var(--effect); }
.clusters { overflow-wrap: anywhere; } .place { opacity: 0.7; }
ins { color: var(--installed); text-decoration: none; } del { color: var(--uninstalled); text-decoration: none; }
.waves { display: flex; gap: 3px; overflow-x: auto; list-style: none; padding: 0; }
.waves li { flex: 1 0 6rem; max-width: 24rem; border-top: 4px solid var(--rerolled); padding: 0.2rem 0.4rem; background: color-mix(in srgb, var(--rerolled) 12%, Canvas); overflow-wrap: anywhere; }
.matrix { overflow: auto; max-height: 80vh; border: 1px solid var(--line); }
table { border-collapse: collapse; } th, td { padding: 0.15rem 0.5rem; border: 1px solid var(--line); text-align: left; white-space: nowrap; }
thead th { position: sticky; top: 0; background: Canvas; z-index: 1; } tbody th { position: sticky; left: 0; background: Canvas; font-weight: normal; }
td[class] { background: color-mix(in srgb, var(--effect) 22%, Canvas); } td a { color: inherit; }
fieldset { border: 0; padding: 0; margin: 0.5rem 0; } label { margin-right: 1rem; }
body:has(#filter-uninstalled:checked) tbody tr:not(:has(.uninstalled)), body:has(#filter-installed:checked) tbody tr:not(:has(.installed)),
body:has(#filter-changed:checked) tbody tr:not(:has(.changed)), body:has(#filter-rerolled:checked) tbody tr:not(:has(.rerolled)),
body:has(#filter-moved:checked) tbody tr:not(:has(.moved)) { display: none; }
`;
