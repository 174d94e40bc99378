/** The location from which an engine clones the repository. */
export interface Origin {
  /** An address to clone from. */
  readonly url: string;
  readonly branch: string;
  /** The folder of the new repository below the top, with a slash at its end; empty at the top. */
  readonly prefix: string;
}
/** What the objects of an engine apply. */
export interface AppliedRepository {
  /** The name of the objects: a hub can have those of several repositories. */
  readonly name: string;
  readonly origin: Origin;
  /** The names of the hubs. Empty if the workspace has one hub without a name. */
  readonly hubs: readonly string[];
}
