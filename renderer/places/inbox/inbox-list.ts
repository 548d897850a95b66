// What the lists of the inbox have in common.
import { useEffect } from 'react';

export interface InboxListProps {
  playbook: string;
  /** Whose requests are listed; if empty, everyone's. */
  parties: readonly string[];
}

/** Pixels. */
export const ROW_HEIGHT = 54;

interface PagedQuery {
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Returns a function that reads the next page of a list. While the list is empty, pages are read without being asked
 * for.
 */
export function useMore({ hasNextPage, isFetching, fetchNextPage }: PagedQuery, isEmpty: boolean): () => void {
  const more = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  useEffect(() => {
    if (isEmpty) more();
  });
  return more;
}
