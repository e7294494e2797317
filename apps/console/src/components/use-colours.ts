import { type RefObject, useEffect, useState } from 'react';

const NAMES = ['completed', 'staged', 'failed', 'skipped', 'band', 'faint', 'line'] as const;
export type Colours = Record<(typeof NAMES)[number], string>;

/**
 * The colours of `tokens.css` for what draws on a canvas, as they are at `place` now: light or dark. Undefined before
 * it is on the page.
 */
export function useColours(place: RefObject<HTMLElement | null>): Colours | undefined {
  const [colours, setColours] = useState<Colours>();
  useEffect(() => {
    const read = () => place.current && setColours(coloursAt(place.current));
    read();
    const system = matchMedia('(prefers-color-scheme: dark)');
    const choice = new MutationObserver(read);
    system.addEventListener('change', read);
    choice.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
    return () => {
      system.removeEventListener('change', read);
      choice.disconnect();
    };
  }, [place]);
  return colours;
}

/** A canvas knows neither `var()` nor `light-dark()`: an element's own colour is what they come to. */
function coloursAt(element: HTMLElement): Colours {
  const probe = element.appendChild(document.createElement('i'));
  const read = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Colours;
  probe.remove();
  return colours;
}
