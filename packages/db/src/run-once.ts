/** However often the returned function is called, `action` runs once; all callers get its outcome. */
export function runOnce(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
