import './import-playbook.css';
import { Button, Group, Modal, Progress, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ARCHIVE_BYTES } from '../../../shared/limits.ts';
import { issueAt, ProblemError } from '../../api/problem-error.ts';
import { FileDrop } from '../../ui/file-drop.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { fileSize } from '../../ui/quantities.ts';
import { ArchiveFaults } from './archive-faults.tsx';
import { ImportPreview } from './import-preview.tsx';
import { countWords, isRefused, isWithoutEffect } from './import-words.ts';
import {
  applyImport,
  chooseArchive,
  type ChosenArchive,
  type ImportPlan,
  planImport,
  playbookOfFile,
} from './plan-import.ts';

export interface ImportPlaybookProps {
  /** The playbook that is changed; undefined: the person decides, and begins with the one that the archive names. */
  playbook?: string;
  onClose: () => void;
  onImported: (playbook: string) => void;
}

interface Planning {
  archive: ChosenArchive;
  into: string | undefined;
}

/** Plans and executes an import. */
function useImport(onImported: (playbook: string) => void) {
  const client = useQueryClient();
  /** The share of the archive that was sent, from 0 to 1. */
  const [sent, setSent] = useState(0);
  const planning = useMutation({ mutationFn: ({ archive: of, into }: Planning) => planImport(of, into, setSent) });
  const importing = useMutation({
    mutationFn: ({ of, plan }: { of: ChosenArchive; plan: ImportPlan }) => applyImport(of, plan, setSent),
    async onSuccess(changes, { of, plan }) {
      await Promise.all([['playbooks'], [plan.playbook]].map((queryKey) => client.invalidateQueries({ queryKey })));
      notifications.show({ message: `Imported ${of.name} into ${plan.playbook}: ${countWords(changes)}.` });
      onImported(plan.playbook);
    },
  });
  return { planning, importing, sent };
}

/** Takes a zip archive, shows what it would change, and imports it when the person agrees. */
export function ImportPlaybook({ playbook, onClose, onImported }: ImportPlaybookProps) {
  const [archive, setArchive] = useState<ChosenArchive>();
  /** The ID that the person wrote. */
  const [typed, setTyped] = useState<string>();
  const { planning, importing, sent } = useImport(onImported);
  const plan = planning.data;
  const target = playbook ?? typed ?? plan?.playbook ?? (archive === undefined ? '' : playbookOfFile(archive.name));
  // After a failure, the playbook may have changed: the import may even have been applied.
  const isCurrent = plan?.playbook === target && importing.error === null;
  const isPossible = isCurrent && !isWithoutEffect(plan.changes) && !isRefused(plan.changes);
  /** The same archive would be refused again. */
  const isFaulty =
    planning.error instanceof ProblemError &&
    planning.error.problemName === 'invalid_input' &&
    planning.variables?.into === (playbook ?? typed);
  const targetIssue = issueAt(planning.error, '/playbook');

  const preview = (of: ChosenArchive, into: string | undefined): void => {
    importing.reset();
    planning.mutate({ archive: of, into });
  };
  const choose = (file: File): void => {
    const chosen = chooseArchive(file);
    setArchive(chosen);
    preview(chosen, playbook ?? typed);
  };
  return (
    <Modal
      opened
      onClose={() => !importing.isPending && onClose()}
      title={playbook === undefined ? 'Import a playbook' : `Import into ${playbook}`}
      size="lg"
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (archive === undefined) return;
          if (isPossible) importing.mutate({ of: archive, plan });
          else preview(archive, target);
        }}
      >
        <Stack gap="sm">
          <ArchiveDrop archive={archive} isOff={importing.isPending} onFile={choose} />
          {playbook === undefined && archive !== undefined && (
            <TextInput
              label="Playbook ID"
              description="The playbook with this ID is changed, or created if there is none."
              required
              disabled={importing.isPending}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              value={target}
              error={targetIssue}
              onChange={({ currentTarget: { value } }) => setTyped(value)}
            />
          )}
          {(planning.isPending || importing.isPending) && <Sending sent={sent} isImport={importing.isPending} />}
          <ScrollArea.Autosize
            mah="44vh"
            type="auto"
            offsetScrollbars="present"
            viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Preview' }}
          >
            {planning.error !== null && targetIssue === undefined && <ArchiveFaults error={planning.error} />}
            {plan?.playbook === target && <ImportPreview plan={plan} />}
          </ScrollArea.Autosize>
          {importing.error !== null && <ProblemView error={importing.error} />}
          <Text size="xs" c="dimmed">
            All changes are saved, or none. Definitions that the archive lacks are kept, and so are runs and events.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" disabled={importing.isPending} onClick={onClose}>
              {isFaulty || (isCurrent && !isPossible) ? 'Close' : 'Cancel'}
            </Button>
            {isPossible ? (
              <Button type="submit" loading={importing.isPending}>
                Import
              </Button>
            ) : (
              !isCurrent &&
              !isFaulty && (
                <Button type="submit" disabled={archive === undefined} loading={planning.isPending}>
                  {importing.error === null ? 'Preview' : 'Preview again'}
                </Button>
              )
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ArchiveDropProps {
  archive: ChosenArchive | undefined;
  isOff: boolean;
  onFile: (file: File) => void;
}

function ArchiveDrop({ archive, isOff, onFile }: ArchiveDropProps) {
  return (
    <FileDrop
      label={archive === undefined ? 'Choose a zip archive…' : 'Choose another…'}
      hint={
        archive === undefined
          ? `Or drop one here, at most ${fileSize(ARCHIVE_BYTES)}.`
          : `${archive.name}, ${fileSize(archive.size)}`
      }
      accept=".zip,application/zip"
      isOff={isOff}
      hasFocus
      onFiles={([file]) => file !== undefined && onFile(file)}
    />
  );
}

/** How much of the archive was sent, and then what the service does with it. */
function Sending({ sent, isImport }: { sent: number; isImport: boolean }) {
  const percent = Math.round(100 * sent);
  return (
    <div>
      <Text size="sm" mb={4} role="status">
        {percent < 100 ? 'Sending the archive…' : isImport ? 'Importing…' : 'Checking what would change…'}
      </Text>
      <Progress value={percent} animated={percent === 100} aria-label="Sent" />
    </div>
  );
}
