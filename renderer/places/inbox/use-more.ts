import { useEffect } from 'react';

export interface Paged {
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
}

/** Reads the next page of a list. A page of which nothing is shown is passed by itself. */
export function useMore({ hasNextPage, isFetching, fetchNextPage }: Paged, isEmpty: boolean): () => void {
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  useEffect(() => {
    if (isEmpty) more();
  });
  return more;
}
