import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { playbooksQuery } from '../api/queries.ts';

const PlaybookList = lazy(async () => ({ default: (await import('./playbook-list.tsx')).PlaybookList }));

/** Names the playbook that is open. The list of the others is loaded when it is first asked for. */
export function PlaybookMenu({ playbook }: { playbook: string | undefined }) {
  const [isAsked, setAsked] = useState(false);
  const element = useRef<HTMLButtonElement>(null);
  const { data = [] } = useQuery(playbooksQuery);
  const active = data.filter(({ status }) => status === 'active');
  if (active.length === 0 && playbook === undefined) return null;
  const button = (
    <UnstyledButton
      ref={element}
      className="side-link"
      mb={8}
      style={{ border: '1px solid var(--cue-line)' }}
      aria-haspopup="menu"
      onClick={() => setAsked(true)}
    >
      <Text span fz={14} fw={600} truncate style={{ flex: 1 }}>
        {data.find(({ id }) => id === playbook)?.name ?? playbook ?? 'All playbooks'}
      </Text>
      <ChevronsUpDown size={15} aria-hidden />
    </UnstyledButton>
  );
  if (!isAsked) return button;
  return (
    <Suspense fallback={button}>
      <PlaybookList playbook={playbook} playbooks={active} target={button} button={element} />
    </Suspense>
  );
}
