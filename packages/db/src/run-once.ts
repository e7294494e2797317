/** However often the result is called, `action` runs once; all callers get its outcome. */
export function runOnce(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
