/** Replaces `supports-color`, an optional part of `debug`: without colors. */
export default false;
