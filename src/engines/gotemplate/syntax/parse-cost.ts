/** Steps for each character of an action, which the parser reads one by one. */
const actionSteps = 6;
/** Characters of plain text for a step. */
const textPerStep = 8;

const part = /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'|\}\}|[^"`'}]+|[^]/y;

/** Returns the steps that parsing a template takes. Text outside of actions costs little. */
export function parseCost(text: string): number {
  let inActions = 0;
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    const end = actionEnd(text, at + 2);
    inActions += end - at;
    at = end;
  }
  return inActions * actionSteps + (text.length - inActions) / textPerStep;
}

function actionEnd(text: string, start: number): number {
  part.lastIndex = start;
  for (let match = part.exec(text); match !== null; match = part.exec(text))
    if (match[0] === '}}') return part.lastIndex;
  return text.length;
}
