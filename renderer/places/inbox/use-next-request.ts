import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { waitingQuery } from './open-requests-query.ts';
import { useMe } from './parties.ts';

/** The request after one in the inbox, even after that one has left the list. */
export function useNextRequest(playbook: string, runId: string): string | undefined {
  const [me] = useMe();
  const { data } = useQuery(waitingQuery(playbook, me));
  const [known, setKnown] = useState<string[]>([]);
  const listed = data?.requests.map((one) => one.run_id);
  const below = listed === undefined ? [] : belowOf(listed, runId);
  useEffect(() => {
    if (below !== undefined && below.join() !== known.join()) setKnown(below);
  }, [below, known]);
  // Some may have been answered in the meantime.
  return (below ?? known.filter((one) => listed?.includes(one) === true))[0];
}

/** The entries after one of a list. @returns undefined if the list does not hold it */
export function belowOf(listed: readonly string[], entry: string): string[] | undefined {
  const index = listed.indexOf(entry);
  return index === -1 ? undefined : listed.slice(index + 1);
}
