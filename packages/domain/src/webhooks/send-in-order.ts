/**
 * Sends messages, up to `together` at the same time: they are begun in their order, and those with the same key one
 * after the other. `mayBegin` is asked before each one: what was begun is always the beginning of the list. Answers
 * what was begun.
 */
export async function sendInOrder<Message extends { key: string }>(
  messages: readonly Message[],
  {
    together,
    mayBegin,
    send,
  }: { together: number; mayBegin: () => boolean; send: (message: Message) => Promise<void> },
): Promise<Message[]> {
  const before = new Map<string, Promise<void>>();
  let next = 0;
  const lane = async () => {
    for (;;) {
      const message = messages[next];
      if (message === undefined || !mayBegin()) return;
      next += 1;
      const earlier = before.get(message.key);
      const sent = earlier === undefined ? send(message) : earlier.then(() => send(message));
      before.set(message.key, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
  return messages.slice(0, next);
}
