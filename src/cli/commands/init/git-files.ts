/** `.gitignore`: without dist/, so that reviewers see the effect of a change. */
export const gitIgnore = `node_modules/
/plan.html
/plan.md
/plan.xml
`;

/** `.gitattributes`: reviews collapse the output of synth, and its line endings are the same everywhere. */
export const gitAttributes = `dist/** text eol=lf linguist-generated=true gitlab-generated
`;
