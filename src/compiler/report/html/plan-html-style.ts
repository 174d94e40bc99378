/** The style of the plan's page. Light or dark follows the reader's system, or the reader's choice. */
export const planStyle = `
:root {
  color-scheme: light dark; --back: light-dark(#fff, #16181d); --front: light-dark(#1b1f24, #e6e8eb); --quiet: light-dark(#57606a, #a0a8b3);
  --line: light-dark(#d0d7de, #3a404a); --raised: light-dark(#f6f8fa, #1f232a); --focus: light-dark(#0550ae, #79c0ff);
  --uninstalled: light-dark(#b42318, #ff8f85); --uninstalled-back: light-dark(#fde7e4, #47201d);
  --installed: light-dark(#116329, #6fdd8b); --installed-back: light-dark(#dff5e3, #173821);
  --changed: light-dark(#7a4d00, #f0c36d); --changed-back: light-dark(#fdf0cf, #3d3113);
  --rerolled: light-dark(#0b4fa8, #8cbcff); --rerolled-back: light-dark(#e0edff, #1a2f4d);
  --moved: light-dark(#4b535d, #b5bdc8); --moved-back: light-dark(#eceff2, #2b3038);
}
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem auto; max-width: 110rem; padding: 0 1.2rem; color: var(--front); background: var(--back); }
header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; flex-wrap: wrap; }
#connection { margin: 0 0 0 auto; color: var(--quiet); } #connection::before { content: '● '; } #connection[data-state=live]::before { color: var(--installed); } #connection[data-state=lost] { color: var(--uninstalled); font-weight: 600; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; } h1 code { font-size: 0.85em; } h2 { font-size: 1.15rem; margin: 1.8rem 0 0.5rem; } h3 { font-size: 1rem; margin: 0.2rem 0; } h4, h5 { font-size: 0.95rem; margin: 0.7rem 0 0.2rem; }
code, pre, h5 { font-family: ui-monospace, monospace; font-size: 13px; } pre { margin: 0.1rem 0 0.5rem; padding: 0.3rem 0.5rem; overflow-x: auto; background: var(--raised); border-radius: 4px; }
h5 { font-weight: 600; } ul { margin: 0.3rem 0; padding-left: 1.3rem; overflow-wrap: anywhere; } p { margin: 0.4rem 0; overflow-wrap: anywhere; }
a { color: inherit; } .quiet { color: var(--quiet); }
.alarm { border-left: 4px solid var(--uninstalled); padding: 0.4rem 0.8rem; font-weight: 600; background: var(--uninstalled-back); list-style: none; }
.error { color: var(--uninstalled); } .warning { color: var(--changed); }
button, select, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.6rem; max-width: 100%; }
button { cursor: pointer; } input[type=radio] { margin: 0; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.uninstalled { --effect: var(--uninstalled); --effect-back: var(--uninstalled-back); } .installed { --effect: var(--installed); --effect-back: var(--installed-back); }
.changed { --effect: var(--changed); --effect-back: var(--changed-back); } .rerolled { --effect: var(--rerolled); --effect-back: var(--rerolled-back); }
.moved, .left { --effect: var(--moved); --effect-back: var(--moved-back); }
.controls { display: flex; gap: 0.6rem 1rem; align-items: center; flex-wrap: wrap; margin-bottom: 0.6rem; }
.controls p { margin: 0; } #search { width: 20rem; }
fieldset { border: 0; padding: 0; margin: 0; display: flex; gap: 0.3rem 0.9rem; flex-wrap: wrap; align-items: center; } legend { float: left; padding: 0; margin-right: 0.2rem; }
label { color: var(--effect, inherit); white-space: nowrap; }
.picked { overflow-wrap: anywhere; } .picked:empty { display: none; }
.matrix { --cell: 144px; --lines: 1; --height: calc(9px + 19px * var(--lines)); overflow: auto; max-height: 70vh; border: 1px solid var(--line); border-radius: 6px; width: fit-content; max-width: 100%; contain: content; }
.matrix.narrow { --cell: 48px; } .matrix.single { max-height: min(70vh, 26rem); }
.head { position: sticky; top: 0; z-index: 2; }
.rows { position: relative; height: calc(var(--rows) * var(--height)); }
[role=row] { display: flex; font: 13px/1.45 ui-monospace, monospace; width: calc(var(--name) + var(--columns) * var(--cell)); }
.rows [role=row] { position: absolute; top: calc(var(--row) * var(--height)); height: var(--height); }
[role=columnheader], [role=rowheader], [role=gridcell] { flex: 0 0 var(--cell); padding: 0 0.5rem; border: solid var(--line); border-width: 0 1px 1px 0; line-height: calc(var(--height) - 1px); overflow: hidden; background: var(--back); }
[role=columnheader], [role=gridcell] { font: 15px/calc(var(--height) - 1px) system-ui, sans-serif; }
[role=gridcell] { white-space: nowrap; } [role=columnheader] { font-weight: 600; background: var(--raised); line-height: 19px; padding: 4px 0.5rem; overflow-wrap: anywhere; }
[role=columnheader]:first-child, [role=rowheader] { font: 13px/19px ui-monospace, monospace; flex-basis: var(--name); padding: 4px 0.5rem; position: sticky; left: 0; z-index: 1; } [role=rowheader] { word-break: break-all; } .tall [role=rowheader] .quiet { display: block; } .probe { position: absolute; visibility: hidden; white-space: nowrap; padding: 0; }
.narrow [role=columnheader] { height: calc(var(--label) + 1rem); padding: 0.4rem 0; display: grid; place-content: end center; } .narrow [role=columnheader] span { writing-mode: vertical-rl; rotate: 180deg; max-height: var(--label); line-height: 1.3; }
.narrow [role=columnheader]:first-child { padding: 0.4rem 0.5rem; height: auto; place-content: end start; } .narrow [role=columnheader]:first-child span { writing-mode: initial; rotate: none; line-height: 1.4; }
.narrow [role=gridcell] { padding: 0; text-align: center; } .narrow [role=gridcell] span { display: none; }
.change { color: var(--effect); background: var(--effect-back); cursor: pointer; } [role=rowheader] { cursor: pointer; }
.matrix:focus-visible .active, .matrix:focus .active { outline: 2px solid var(--focus); outline-offset: -2px; }
.timeline { display: grid; gap: 3px; overflow-x: auto; grid-template-columns: max-content; grid-auto-columns: minmax(8.5rem, max-content); padding: 3px 3px 0.5rem; }
.timeline > * { padding: 0.2rem 0.5rem; min-width: 0; overflow-wrap: anywhere; }
.when { border-bottom: 2px solid var(--line); color: var(--quiet); } .lane { position: sticky; left: 0; background: var(--back); font-weight: 600; z-index: 1; max-width: min(18rem, 35vw); }
.wave[data-none] { opacity: 0.45; } .wave[data-refused] { color: var(--uninstalled); background: var(--uninstalled-back); border-color: var(--uninstalled); } .wave { text-align: left; color: var(--rerolled); background: var(--rerolled-back); border: 0; border-left: 4px solid var(--rerolled); }
.groups th, .groups td { vertical-align: top; font-weight: normal; } .groups th span { display: block; color: var(--quiet); }
.part { padding: 0 0.5rem; color: var(--rerolled); background: var(--rerolled-back); border-left: 4px solid var(--rerolled); } .part.own { color: var(--changed); background: var(--changed-back); border-color: var(--changed); }
.stop { border-left: 4px solid var(--uninstalled); padding: 0.3rem 0.7rem; margin: 0.5rem 0; background: var(--uninstalled-back); } .condition { color: var(--quiet); }
.more { margin: 0.4rem 0; }
.badges { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; list-style: none; padding: 0; } .badge { border: 1px solid var(--effect, var(--line)); border-radius: 6px; padding: 0 0.5rem; color: var(--effect, var(--quiet)); background: var(--effect-back, transparent); }
.origin { margin-bottom: 0.8rem; } .object { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.8rem; margin: 0.4rem 0; overflow-wrap: anywhere; } .caveat { border-left: 4px solid var(--changed); padding: 0.2rem 0.8rem; background: var(--changed-back); }
.add-on { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.8rem; margin: 0.4rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
.group { border-left: 4px solid var(--effect); padding: 0.1rem 0.9rem; margin: 0.7rem 0; } .group h3 { color: var(--effect); }
.requirements { font: 13px ui-monospace, monospace; } .requirements rect { fill: var(--effect-back, var(--raised)); stroke: var(--effect, var(--line)); } .requirements text { fill: var(--effect, var(--front)); } .requirements path { fill: none; stroke: var(--quiet); }
.path { overflow-wrap: anywhere; } ins { color: var(--installed); text-decoration: none; } del { color: var(--uninstalled); text-decoration: none; }
.together { padding: 0 0.4rem; }
dialog { color: inherit; background: var(--back); border: 0; border-left: 1px solid var(--line); padding: 0 1.2rem 1.2rem; margin: 0 0 0 auto; width: min(46rem, 100vw); height: 100dvh; max-width: none; max-height: none; }
dialog::backdrop { background: #0008; }
.bar { display: flex; justify-content: space-between; align-items: center; gap: 1rem; position: sticky; top: 0; background: var(--back); padding: 0.8rem 0 0.4rem; z-index: 1; } .bar h2 { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { padding: 0.2rem 0.6rem; border: 1px solid var(--line); text-align: left; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
.table { overflow-x: auto; }
@media print { .matrix { max-height: none; } .controls, dialog { display: none; } }
`;
