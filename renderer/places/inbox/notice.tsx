import { Alert } from '@mantine/core';
import { BellDot } from 'lucide-react';
import { useEffect } from 'react';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { deliveryWords, type Story } from './story.ts';
import { useNoticesRead } from './use-notices-read.ts';

/** A notice: looking at it is all there is to do. */
export function NoticeState({ playbook, run, story }: { playbook: string; run: RunWithRecord; story: Story }) {
  const { read } = useNoticesRead(playbook);
  const { at } = story.requested.metadata;
  useEffect(() => read({ runId: run.run_id, at }), [read, run.run_id, at]);
  return (
    <Alert color="blue" icon={<BellDot size={18} />} title="A notice">
      It takes no answer.{' '}
      {run.status === 'started' ? `${deliveryWords(story, run.status)}.` : (run.detail ?? 'It was delivered.')}
    </Alert>
  );
}
