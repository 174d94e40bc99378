/** The number of questions in flight. */
const concurrent = 8;

/** Asks about all items, some at a time. */
export async function inParallel<T>(items: readonly T[], ask: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await ask(item);
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}
