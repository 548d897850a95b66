import { Alert, Button, Group, Modal, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import { type DefinitionKey, versionQuery } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { type Draft, keepDraft } from './drafts.ts';

const DiffView = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).DiffView }));

export interface DraftNoticeProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  draft: Draft;
  /** Gives the draft up for what is saved. */
  onUndo: () => void;
}

/** What a person has to know who writes on while the definition was changed, or retired, elsewhere. */
export function DraftNotice({ definitionKey, definition, draft, onUndo }: DraftNoticeProps) {
  const navigate = useNavigate();
  const [isComparing, setComparing] = useState(false);
  if (definition.status === 'retired') {
    const { playbook, type } = definitionKey;
    return (
      <Alert color="yellow" py={8} mb={8} icon={<TriangleAlert size={18} />} title="It was retired since you began">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">What you wrote is kept in this browser. It can be saved under another name only.</Text>
          <Button
            size="xs"
            variant="default"
            style={{ flexShrink: 0 }}
            onClick={() => {
              keepDraft({ playbook, type, name: '' }, { base: 0, text: draft.text });
              void navigate({ to: '/playbooks/$playbook/definitions/new', params: { playbook }, search: { type } });
            }}
          >
            Make a new definition of it
          </Button>
        </Group>
      </Alert>
    );
  }
  if (draft.base === definition.version) return null;
  return (
    <Alert
      color="yellow"
      py={8}
      mb={8}
      icon={<TriangleAlert size={18} />}
      title={`Version ${definition.version} was saved by ${definition.updated_by} since you began`}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          What you wrote is kept, and begins from version {draft.base}. Saving it makes it version{' '}
          {definition.version + 1}; what version {definition.version} changed is then in the history alone.
        </Text>
        <Button size="xs" variant="default" style={{ flexShrink: 0 }} onClick={() => setComparing(true)}>
          Compare
        </Button>
      </Group>
      <Modal
        opened={isComparing}
        onClose={() => setComparing(false)}
        title="What was changed elsewhere, and what you wrote"
        size="90%"
        centered
      >
        <Compared
          definitionKey={definitionKey}
          definition={definition}
          draft={draft}
          onUndo={onUndo}
          onClose={() => setComparing(false)}
        />
      </Modal>
    </Alert>
  );
}

const MINE = 'What saving would change';
const THEIRS = 'What was changed elsewhere';

function Compared({ definitionKey, definition, draft, onUndo, onClose }: DraftNoticeProps & { onClose: () => void }) {
  const [side, setSide] = useState(THEIRS);
  const began = useQuery(versionQuery(definitionKey, draft.base));
  const before = side === MINE ? definition.source : began.data?.source;
  const after = side === MINE ? draft.text : definition.source;
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="What is compared"
        data={[THEIRS, MINE]}
        value={side}
        onChange={setSide}
        style={{ alignSelf: 'flex-start' }}
      />
      {began.error !== null && <ProblemView error={began.error} />}
      <div style={{ height: '60vh' }}>
        {before === undefined ? (
          <Skeleton height="100%" />
        ) : (
          <Suspense fallback={<Skeleton height="100%" />}>
            <DiffView type={definitionKey.type} before={before} after={after} />
          </Suspense>
        )}
      </div>
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            onClose();
            onUndo();
          }}
        >
          Give up what I wrote
        </Button>
        <Button onClick={onClose}>Continue writing</Button>
      </Group>
    </Stack>
  );
}
