import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** After a way to another page the focus is on its heading, so that a screen reader says where one is. */
export function useFocusOfPages(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) main.current?.querySelector('h1')?.focus();
      }),
    [router, main],
  );
}
