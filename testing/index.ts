/** Matchers for tests of a fleet's add-ons. There are none yet. */
export {};
