import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ToolCall } from '../../../shared/api/index.ts';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { type RowsTable, rowsTable, TableView } from '../../shapes/table-view.tsx';
import { CopyAs } from '../../ui/copy-as.tsx';
import { durationWords } from '../../../shared/duration-words.ts';
import { JsonView } from '../../ui/json/json-view.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ToolImages, ToolText } from '../../ui/tool-content.tsx';
import { keptResultQuery } from './tool-queries.ts';
import { OUTCOMES } from './outcomes.ts';

/** The outcome of a call and its result. */
export function CallResult({ playbook, call }: { playbook: string; call: ToolCall }) {
  const { word, sense, icon, means } = OUTCOMES[call.outcome];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text component="h2" fw={650}>
          <Mark sense={sense} icon={icon}>
            {word}
          </Mark>
        </Text>
        <CopyAs
          copies={[
            { name: 'JSON', text: () => JSON.stringify(call, undefined, 2) },
            { name: 'Text', text: () => call.text },
          ]}
        />
      </Group>
      {call.outcome !== 'result' && <Text size="sm">{means}</Text>}
      <Text size="sm" c="dimmed" className="number">
        {factsOf(call).join(' · ')}
      </Text>
      <Text size="xs" c="dimmed">
        The content below was returned by {call.server}.
      </Text>
      <Images playbook={playbook} call={call} />
      <Result call={call} />
    </Stack>
  );
}

function factsOf({ duration_ms: duration, result_bytes: bytes, server_request_id: id }: ToolCall): string[] {
  return [
    durationWords(duration),
    ...(bytes === null ? [] : [`${bytes.toLocaleString()} bytes`]),
    ...(id === undefined ? [] : [`request ID ${id}`]),
  ];
}

const VIEWS = ['Table', 'Text', 'JSON'] as const;
type View = (typeof VIEWS)[number];

/** The result in all available views, most readable first. The text is what a model would see. */
function Result({ call: { text, answer } }: { call: ToolCall }) {
  const table = useMemo(() => (answer === undefined ? undefined : answerTable(answer)), [answer]);
  const hasJson = answer !== undefined && typeof answer !== 'string';
  const views = VIEWS.filter((one) => (one === 'Table' ? table !== undefined : one === 'Text' || hasJson));
  const [chosen, setChosen] = useState<View>();
  const view = chosen ?? (table !== undefined ? 'Table' : hasJson && isJson(text) ? 'JSON' : 'Text');
  return (
    <Stack gap="xs">
      {views.length > 1 && (
        <Group justify="flex-end">
          <SegmentedControl size="xs" aria-label="View" data={views} value={view} onChange={setChosen} />
        </Group>
      )}
      {view === 'Table' && table !== undefined && <TableView output={table} />}
      {view === 'JSON' && <JsonView value={answer} label="Answer" />}
      {view === 'Text' && <ToolText text={text} label="Text of the result" />}
    </Stack>
  );
}

/** Whether a text is only the JSON of the result. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The response has placeholders for images; the recorded call contains them. */
function Images({ playbook, call }: { playbook: string; call: ToolCall }) {
  const kept = useQuery({ ...keptResultQuery(playbook, call.call_id), enabled: call.text.includes('[image ') });
  return <ToolImages result={kept.data} />;
}

const MOST_COLUMNS = 12;

/** A table for an answer that is a list of flat objects or contains only such a list; otherwise undefined. */
export function answerTable(answer: Json): RowsTable | undefined {
  const [only, ...others] = isJsonObject(answer) ? Object.values(answer) : [answer];
  const table = others.length > 0 ? undefined : rowsTable(only);
  return table === undefined || table.columns.length > MOST_COLUMNS ? undefined : table;
}
