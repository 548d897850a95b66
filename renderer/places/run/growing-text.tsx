import { Loader, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { followRun } from '../../api/follow-run.ts';
import { useLiveEvents } from '../../api/live.tsx';

/** Pixels from the end within which the text counts as scrolled to its end. */
const NEAR_END = 24;

interface GrowingTextProps {
  playbook: string;
  runId: string;
  isFollowed: boolean;
  /** Shown until there is text. */
  children: ReactNode;
}

/** The text of a model, while it is being generated. */
export function GrowingText({ playbook, runId, isFollowed, children }: GrowingTextProps) {
  const text = useGrowingText(playbook, runId, isFollowed);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    // Keep the end visible unless a person scrolled up.
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  if (text === '') return children;
  return (
    // Screen readers announce the complete output instead.
    <div aria-live="off">
      <Text size="sm" c="dimmed" mb={6}>
        <Loader size={12} mr={8} aria-hidden />
        The model is writing
      </Text>
      <div
        ref={box}
        className="card"
        style={{ maxHeight: '60vh', overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        tabIndex={0}
        role="region"
        aria-label="Model output so far"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - NEAR_END;
        }}
      >
        {text}
      </div>
    </div>
  );
}

function useGrowingText(playbook: string, runId: string, isFollowed: boolean): string {
  const [text, setText] = useState('');
  /** Counts retries: the run may not be recorded yet when it is followed. */
  const [tries, setTries] = useState(0);
  useLiveEvents((event) => {
    if (event.type === 'run_started' && event.metadata.run_id === runId) setTries((times) => times + 1);
  });
  useEffect(() => {
    if (!isFollowed) return;
    const leaving = new AbortController();
    // The output is shown even if following fails.
    followRun(playbook, runId, setText, leaving.signal).catch(() => {});
    return () => {
      leaving.abort();
      setText('');
    };
  }, [playbook, runId, isFollowed, tries]);
  return text;
}
