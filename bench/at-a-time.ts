/** Runs something for each item, for some of them at the same time, in their order. */
export async function atATime<T>(
  items: readonly T[],
  count: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const item of rest) await run(item);
    }),
  );
}
