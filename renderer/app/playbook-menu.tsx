import { Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { playbooksQuery } from '../api/queries.ts';

const PlaybookList = lazy(async () => ({ default: (await import('./playbook-list.tsx')).PlaybookList }));

/** Shows the open playbook. The menu of playbooks is loaded when it is first opened. */
export function PlaybookMenu({ playbook }: { playbook: string | undefined }) {
  const [isOpened, setOpened] = useState(false);
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
      onClick={() => setOpened(true)}
    >
      <Text span fz={14} fw={600} truncate style={{ flex: 1 }}>
        {data.find(({ id }) => id === playbook)?.name ?? playbook ?? 'All playbooks'}
      </Text>
      <ChevronsUpDown size={15} aria-hidden />
    </UnstyledButton>
  );
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <PlaybookList playbook={playbook} playbooks={active} target={button} button={element} />
    </Suspense>
  );
}
