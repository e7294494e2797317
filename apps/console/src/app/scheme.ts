import { useSyncExternalStore } from 'react';

const SCHEMES = ['system', 'light', 'dark'] as const;
/** `system` follows what the operating system says. */
export type Scheme = (typeof SCHEMES)[number];

const KEY = 'causeway.scheme';
const listeners = new Set<() => void>();

function read(): Scheme {
  return SCHEMES.find((scheme) => scheme === localStorage.getItem(KEY)) ?? 'system';
}

function show(): void {
  const scheme = read();
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
}

/** The colours that the person has chosen, kept in this browser, and the function that continues to the next ones. */
export function useScheme(): [Scheme, () => void] {
  const scheme = useSyncExternalStore(subscribe, read);
  return [
    scheme,
    () => {
      localStorage.setItem(KEY, SCHEMES[(SCHEMES.indexOf(scheme) + 1) % SCHEMES.length] ?? 'system');
      show();
      for (const listener of listeners) listener();
    },
  ];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

show();
