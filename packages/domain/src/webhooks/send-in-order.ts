/**
 * Sends messages, up to `together` at the same time: in their order, and those with the same key one after the other.
 * `mayBegin` is asked when each one is begun; once it may not, nothing is begun any more. Answers what was begun: with it
 * everything in front of it with the same key, but perhaps not what is in front of it with others.
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
  const begun = new Set<Message>();
  let next = 0;
  let hasEnded = false;
  const begin = async (message: Message) => {
    hasEnded ||= !mayBegin();
    if (hasEnded) return;
    begun.add(message);
    await send(message);
  };
  const lane = async () => {
    for (let message = messages[next]; message !== undefined && !hasEnded; message = messages[next]) {
      next += 1;
      const current = message;
      const earlier = before.get(current.key);
      const sent = earlier === undefined ? begin(current) : earlier.then(() => begin(current));
      before.set(current.key, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
  return messages.filter((message) => begun.has(message));
}
