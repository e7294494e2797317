import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import text from '../components/text.module.css';
import { refusalText } from '../data/refusal-text.ts';

/** Says that what is on the page may be old, while the network or the service is away. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const isServed = useServiceAnswers();
  if (isOnline && isServed) return null;
  return (
    <p role="status" className={text.note}>
      {isOnline ? 'The service does not answer.' : 'This machine is offline.'} What you see may be old; it is read again
      as soon as possible.
    </p>
  );
}

function subscribeToNetwork(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** False once a read that is on the page got no answer, until it gets one. */
function useServiceAnswers(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () =>
      !cache
        .getAll()
        .some(
          (query) => query.state.status === 'error' && query.isActive() && refusalText(query.state.error).isUnavailable,
        ),
  );
}
