import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import type { ToolCall } from '../../../shared/schemas/index.ts';
import { TableView } from '../../shapes/table-view.tsx';
import { CopyAs } from '../../ui/copy-as.tsx';
import { durationWords } from '../../ui/durations.ts';
import { JsonView } from '../../ui/json-view.tsx';
import { Mark } from '../../ui/mark.tsx';
import { answerTable } from './answer-table.ts';
import { OUTCOMES } from './outcomes.ts';

/** What a call came to: its outcome, and the result by what it is. */
export function CallResult({ call }: { call: ToolCall }) {
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
        What follows is in the words of {call.server}.
      </Text>
      <Result call={call} />
    </Stack>
  );
}

function factsOf({ duration_ms: duration, result_bytes: bytes, server_request_id: id }: ToolCall): string[] {
  return [
    durationWords(duration),
    ...(bytes === null ? [] : [`${bytes.toLocaleString()} bytes`]),
    ...(id === undefined ? [] : [`the server's own id ${id}`]),
  ];
}

function Result({ call: { text, answer } }: { call: ToolCall }) {
  const [asJson, setAsJson] = useState(false);
  const isSame = typeof answer === 'string' && answer === text;
  if (answer === undefined || isSame) return <TextView text={text} label="Result" />;
  const table = answerTable(answer as Json);
  return (
    <Stack gap="xs">
      {table !== undefined && (
        <Group justify="flex-end">
          <SegmentedControl
            size="xs"
            aria-label="How the answer is shown"
            data={['Table', 'JSON']}
            value={asJson ? 'JSON' : 'Table'}
            onChange={(value) => setAsJson(value === 'JSON')}
          />
        </Group>
      )}
      {table === undefined || asJson ? <JsonView value={answer} label="Answer" /> : <TableView output={table} />}
      <details>
        <summary>The text that a model would see</summary>
        <div style={{ marginTop: 8 }}>
          <TextView text={text} label="Text" />
        </div>
      </details>
    </Stack>
  );
}

function TextView({ text, label }: { text: string; label: string }) {
  return (
    <pre className="code tool-text" tabIndex={0} aria-label={label}>
      {text === '' ? 'It is empty.' : text}
    </pre>
  );
}
