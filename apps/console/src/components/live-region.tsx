import { useSyncExternalStore } from 'react';
import { createListeners } from '../data/listeners.ts';
import text from './text.module.css';

/** Anyone who listens is not to be interrupted all the time. */
const SHORTEST_PAUSE_MS = 10_000;

let said = '';
let saidAt = Number.NEGATIVE_INFINITY;
const { subscribe, tell } = createListeners();

/** Lets a screen reader say how something continues, when it has time for it, and at most every 10 seconds. */
export function announce(sentence: string): void {
  if (performance.now() - saidAt < SHORTEST_PAUSE_MS || sentence === said) return;
  said = sentence;
  saidAt = performance.now();
  tell();
}

/** The place of what was announced; there is one, in the shell. */
export function LiveRegion() {
  const sentence = useSyncExternalStore(subscribe, () => said);
  return (
    <p aria-live="polite" className={text.spoken}>
      {sentence}
    </p>
  );
}
