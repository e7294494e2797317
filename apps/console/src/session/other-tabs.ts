import type { Tokens } from '@causeway/rest-client/portable';

/** A login, under the name that all tabs give it. */
export interface Session {
  id: string;
  tokens: Tokens;
}

type Message =
  | { kind: 'ask'; id: string | undefined }
  | { kind: 'tell'; session: Session }
  | { kind: 'end'; id: string };

interface Listener {
  /** What this tab would give to another one. */
  own(): Session | undefined;
  /** Another tab has newer tokens. */
  onTold(session: Session): void;
  /** Somebody logged out elsewhere. */
  onEnd(id: string): void;
}

/** Tabs answer within a few milliseconds, where there are any. */
const PATIENCE_MS = 150;
const NAME = 'causeway.tabs';
/** Of this origin and this browser; what passes through it is kept nowhere. */
const channel = new BroadcastChannel(NAME);
const send = (message: Message) => channel.postMessage(message);

let listener: Listener | undefined;
let asked: ((session: Session) => void) | undefined;

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'end') return listener?.onEnd(data.id);
  if (data.kind === 'tell') {
    asked?.(data.session);
    return listener?.onTold(data.session);
  }
  const own = listener?.own();
  if (own !== undefined && (data.id === undefined || data.id === own.id)) send({ kind: 'tell', session: own });
});

/** Takes part in what the tabs tell each other. */
export function listenToOtherTabs(parts: Listener): void {
  listener = parts;
}

/** What another tab has of this session, or of any; undefined if none answers. */
export async function askOtherTabs(id?: string): Promise<Session | undefined> {
  if (await isAlone()) return undefined;
  return new Promise((resolve) => {
    const end = (session?: Session) => {
      asked = undefined;
      clearTimeout(timer);
      resolve(session);
    };
    const timer = setTimeout(end, PATIENCE_MS);
    asked = (session) => (id === undefined || id === session.id) && end(session);
    send({ kind: 'ask', id });
  });
}

export const tellOtherTabs = (session: Session): void => send({ kind: 'tell', session });
export const endInOtherTabs = (id: string): void => send({ kind: 'end', id });

/** Each tab holds a lock of this name together with the others; where there are no locks, nobody knows. */
const held = new Promise<void>((resolve) => {
  if (!('locks' in navigator)) return resolve();
  void navigator.locks.request(NAME, { mode: 'shared' }, () => {
    resolve();
    return new Promise(() => {});
  });
});

async function isAlone(): Promise<boolean> {
  await held;
  if (!('locks' in navigator)) return false;
  const { held: all = [] } = await navigator.locks.query();
  return all.filter(({ name }) => name === NAME).length < 2;
}
