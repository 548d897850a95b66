import { Alert, Button, Group, Modal, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Definition } from '../../../shared/api/index.ts';
import { type DefinitionKey, versionQuery } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { type Draft, keepDraft } from '../../editor/drafts.ts';

const DiffView = lazy(async () => ({ default: (await import('../../editor/diff-view.tsx')).DiffView }));

export interface DraftNoticeProps {
  definitionKey: DefinitionKey;
  definition: Definition;
  draft: Draft;
  /** Discards the draft. */
  onUndo: () => void;
}

/** A notice for an editor whose definition was changed or retired by someone else. */
export function DraftNotice({ definitionKey, definition, draft, onUndo }: DraftNoticeProps) {
  const navigate = useNavigate();
  const [isComparing, setComparing] = useState(false);
  if (definition.status === 'retired') {
    const { playbook, type } = definitionKey;
    return (
      <Alert
        color="yellow"
        py={8}
        mb={8}
        icon={<TriangleAlert size={18} />}
        title="This definition was retired while you were editing"
      >
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">Your draft is kept in this browser. You can only save it under another name.</Text>
          <Button
            size="xs"
            variant="default"
            style={{ flexShrink: 0 }}
            onClick={() => {
              keepDraft({ playbook, type, name: '' }, { base: 0, text: draft.text });
              void navigate({ to: '/playbooks/$playbook/definitions/new', params: { playbook }, search: { type } });
            }}
          >
            Create a new definition from it
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
      title={`Version ${definition.version} was saved by ${definition.updated_by} while you were editing`}
    >
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          Your draft is kept and is based on version {draft.base}. Saving creates version {definition.version + 1},
          without the changes of version {definition.version}.
        </Text>
        <Button size="xs" variant="default" style={{ flexShrink: 0 }} onClick={() => setComparing(true)}>
          Compare
        </Button>
      </Group>
      <Modal
        opened={isComparing}
        onClose={() => setComparing(false)}
        title="Their changes and yours"
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

const MINE = 'Your changes';
const THEIRS = 'Their changes';

function Compared({ definitionKey, definition, draft, onUndo, onClose }: DraftNoticeProps & { onClose: () => void }) {
  const [side, setSide] = useState(THEIRS);
  const began = useQuery(versionQuery(definitionKey, draft.base));
  const before = side === MINE ? definition.source : began.data?.source;
  const after = side === MINE ? draft.text : definition.source;
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Comparison"
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
          Discard my draft
        </Button>
        <Button onClick={onClose}>Continue editing</Button>
      </Group>
    </Stack>
  );
}
