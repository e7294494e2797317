import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Refusal } from './refusal.tsx';

/** Below a list: reads its next page as soon as one scrolls near, and says why it is not there. */
export function More({ of: list }: { of: UseInfiniteQueryResult<readonly unknown[]> }) {
  const place = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (!isWanted || place.current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: '1200px',
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWanted, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={place}>
      {isFetchNextPageError && <Refusal of={list.error} />}
      <Button variant="quiet" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading more' : 'Load more'}
      </Button>
    </div>
  );
}
