/** Deeper nesting than this is refused: no object needs it, and no phase should have to fear for its stack. */
export const deepestNesting = 500;
