import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Table2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { upload } from '../../api/upload.ts';
import { fileSize } from '../../ui/quantities.ts';
import { FileUploads } from '../../ui/file-uploads.tsx';
import { buildStory } from '../prediction/build-story.ts';
import { buildEventsQuery } from '../prediction/queries.ts';
import type { BuildAsked } from './build-asked.ts';

export interface BuildAnswerProps {
  playbook: string;
  build: BuildAsked;
  answer: Json;
  onChange: (answer: JsonObject) => void;
}

/** What a trainer needs to answer a build: its brief and rows, an upload of models, and which of them are the answer. */
export function BuildAnswer({ playbook, build, answer, onChange }: BuildAnswerProps) {
  const client = useQueryClient();
  const events = useQuery(buildEventsQuery(playbook, build.runId));
  const { candidates: uploaded } = buildStory(events.data ?? []);
  const chosen = candidatesOf(answer);
  // An upload may end after another one changed the answer.
  const latest = useRef(answer);
  useEffect(() => {
    latest.current = answer;
  });
  const choose = (change: (candidates: readonly string[]) => readonly string[]): void => {
    const before = isJsonObject(latest.current) ? latest.current : {};
    const next = { ...before, candidates: [...change(candidatesOf(before))] };
    latest.current = next;
    onChange(next);
  };
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Anchor size="sm" href={build.briefUrl} target="_blank">
          <FileText size={14} aria-hidden style={{ verticalAlign: -2 }} /> Brief
        </Anchor>
        <Anchor size="sm" href={build.rowsUrl} target="_blank">
          <Table2 size={14} aria-hidden style={{ verticalAlign: -2 }} /> Training rows
        </Anchor>
      </Group>
      <FileUploads
        label="Upload models…"
        hint={`Or drop ONNX files here: up to ${LIMITS.candidates} per build, 64 MiB each.`}
        accept=".onnx"
        mostBytes={LIMITS.candidateBytes}
        isMultiple
        send={async (file, onProgress) => {
          const input = { playbook, run_id: build.runId };
          const { candidate, opset } = await upload('upload_candidate', input, file, onProgress);
          choose((before) => [...new Set([...before, candidate])]);
          await client.invalidateQueries({ queryKey: [playbook, 'run', build.runId] });
          return `Accepted, opset ${opset}`;
        }}
      />
      {uploaded.length > 0 && (
        <Checkbox.Group
          label={`Candidates, ${uploaded.length} of at most ${LIMITS.candidates}`}
          description="The build scores those that you choose."
          value={chosen}
          onChange={(value) => choose(() => value)}
        >
          <Stack gap={6} mt={6}>
            {uploaded.map(({ candidate, bytes, opset }) => (
              <Checkbox
                key={candidate}
                size="sm"
                value={candidate}
                label={
                  <>
                    <code title={candidate}>{candidate.slice(0, 12)}</code>{' '}
                    <Text span size="sm" c="dimmed">
                      {fileSize(bytes)}, opset {opset}
                    </Text>
                  </>
                }
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

function candidatesOf(answer: Json): string[] {
  const candidates = isJsonObject(answer) ? answer['candidates'] : undefined;
  return Array.isArray(candidates) ? candidates.filter((one) => typeof one === 'string') : [];
}
