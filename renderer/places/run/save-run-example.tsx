// A recorded run becomes an example: it is added to the draft of the definition, which the person then saves.
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookmarkPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { definitionQuery, eventQuery } from '../../api/queries.ts';
import { IfMay } from '../../sign-in/if-may.tsx';
import { keepDraft, readDraft } from '../../editor/drafts.ts';
import { exampleOfRun } from '../../editor/examples/example-of-run.ts';

const SaveExample = lazy(async () => ({
  default: (await import('../../editor/examples/save-example.tsx')).SaveExample,
}));

interface SaveRunProps {
  playbook: string;
  run: RunWithRecord;
  started: EventRecord | undefined;
  events: readonly EventRecord[] | undefined;
}

/** For runs that succeeded: what is expected is their output. */
export function SaveRunAsExample(props: SaveRunProps) {
  const [isOpen, setOpen] = useState(false);
  const { run, started, events } = props;
  if (run.status !== 'succeeded' || started === undefined || events === undefined) return null;
  return (
    <IfMay call="update_definition">
      <Button
        size="xs"
        variant="default"
        leftSection={<BookmarkPlus size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Save as example…
      </Button>
      {isOpen && <Dialog {...props} started={started} events={events} onClose={() => setOpen(false)} />}
    </IfMay>
  );
}

function Dialog({
  playbook,
  run,
  started,
  events,
  onClose,
}: SaveRunProps & { started: EventRecord; events: readonly EventRecord[]; onClose: () => void }) {
  const navigate = useNavigate();
  const key = { playbook, type: run.type, name: run.name };
  const whole = useQuery(eventQuery(playbook, started.id));
  const definition = useQuery(definitionQuery(key));
  const input = whole.data?.data['input'];
  if (definition.data === undefined || input === undefined) return <Skeleton height={1} />;
  const { version, source } = definition.data;
  const draft = readDraft(key);
  const { example, missing } = exampleOfRun(run.type, run.run_id, { input: input, output: run.output as Json }, events);
  return (
    <Suspense fallback={null}>
      <SaveExample
        type={run.type}
        source={draft?.text ?? source}
        example={example}
        missing={missing}
        onClose={onClose}
        onAdd={(text) => {
          keepDraft(key, { base: draft?.base ?? version, text });
          void navigate({ to: '/playbooks/$playbook/definitions/$type/$name', params: key, search: { tab: 'source' } });
        }}
      />
    </Suspense>
  );
}
