/** The companion controller. There is none yet. */
export {};
