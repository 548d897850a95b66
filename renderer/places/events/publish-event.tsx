import { Alert, Button, Drawer, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Json } from '../../../shared/json.ts';
import { call, nextSubmission, type Submission } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { JsonField } from '../../forms/json-field.tsx';
import { useKeptInput } from '../../forms/kept-input.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { EventRuns } from './event-runs.tsx';

export interface PublishEventProps {
  playbook: string;
  opened: boolean;
  onClose: () => void;
}

const BLANK: { type: string; source: string; subject: string; data: Json } = {
  type: '',
  source: '/studio',
  subject: '',
  data: {},
};

export function PublishEvent({ playbook, opened, onClose }: PublishEventProps) {
  const written = useKeptInput(`event input ${playbook}`, () => BLANK);
  const { type, source, subject, data } = { ...BLANK, ...(written.value as Partial<typeof BLANK>) };
  const { broken, onBroken } = written;
  const change = (part: Partial<typeof BLANK>): void => written.onChange({ type, source, subject, data, ...part });
  const event = { type, source, ...(subject === '' ? {} : { subject }), data };
  const publishing = useMutation({
    mutationFn: ({ id, body }: Submission<typeof event>) => call('publish_event', { playbook, event: { ...body, id } }),
  });
  const errors = publishing.error instanceof ProblemError ? (publishing.error.problem.errors ?? []) : [];
  const issue = (pointer: string): ReactElement | undefined => {
    const found = errors.find((one) => one.pointer === pointer);
    return found && <InlineCode>{found.detail}</InlineCode>;
  };
  const isSaid = errors.length > 0 && errors.every(({ pointer }) => /^\/event\/(type|source|subject)$/.test(pointer));

  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="md" title="Publish an event">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (broken === undefined) publishing.mutate(nextSubmission(publishing, event));
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            The event starts workflows with a matching trigger and resumes runs that listen for its type.
          </Text>
          <TextInput
            label="Type"
            placeholder="order.paid"
            required
            data-autofocus
            value={type}
            onChange={({ currentTarget }) => change({ type: currentTarget.value })}
            error={issue('/event/type')}
          />
          <TextInput
            label="Source"
            description="Where the event happened, as a URI reference."
            required
            value={source}
            onChange={({ currentTarget }) => change({ source: currentTarget.value })}
            error={issue('/event/source')}
          />
          <TextInput
            label="Subject"
            description="What the event is about."
            value={subject}
            onChange={({ currentTarget }) => change({ subject: currentTarget.value })}
            error={issue('/event/subject')}
          />
          <Input.Wrapper label="Data" labelElement="div">
            <JsonField
              value={data}
              broken={broken}
              onChange={(next) => change({ data: next })}
              onBroken={onBroken}
              label="Data as JSON"
            />
          </Input.Wrapper>
          {publishing.error !== null && !isSaid && <ProblemView error={publishing.error} />}
          {publishing.isSuccess && (
            <>
              <Alert color="teal" role="status">
                Recorded as {publishing.data.id}.
              </Alert>
              <EventRuns playbook={playbook} eventId={publishing.data.event_id} reached={publishing.data.reached} />
            </>
          )}
          <Group justify="space-between">
            <CopyAs
              isOff={broken !== undefined}
              copies={[
                ...callCopies('publish_event', { playbook, event }),
                { name: 'JSON', text: () => JSON.stringify(event, undefined, 2) },
              ]}
            />
            <Button
              type="submit"
              leftSection={<Send size={14} aria-hidden />}
              loading={publishing.isPending}
              disabled={broken !== undefined}
            >
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
