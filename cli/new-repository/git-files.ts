/** `.gitignore`: dist/ is not in it, so that a reviewer sees what a change does. */
export const gitIgnore = `node_modules/
/plan.html
/plan.md
/plan.xml
`;

/** `.gitattributes`: what synth writes is folded away in reviews, and its lines end the same way everywhere. */
export const gitAttributes = `dist/** text eol=lf linguist-generated=true gitlab-generated
`;
