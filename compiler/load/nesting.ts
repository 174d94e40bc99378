/** Deeper nesting than this is refused: no object needs it, and no phase should have to fear for its stack. */
export const deepestNesting = 500;

/** What is said of deeper nesting, in every way of writing. */
export const tooDeep = `this is nested more than ${deepestNesting} levels deep`;
