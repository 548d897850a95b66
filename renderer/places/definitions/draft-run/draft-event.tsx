import { Button, Group, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { JsonField } from '../../../forms/json-field.tsx';
import { InlineCode } from '../../../ui/inline-code.tsx';

/** The draft run waits for an event: a person sends one to it. */
export function DraftEvent({
  detail,
  onSend,
}: {
  detail: string;
  onSend: (event: { type: string } & Record<string, Json>) => void;
}) {
  const [value, setValue] = useState<Json>({ type: '', data: {} });
  const [broken, setBroken] = useState<string>();
  const type = isJsonObject(value) ? value['type'] : undefined;
  const isReady = broken === undefined && typeof type === 'string' && type !== '';
  return (
    <section className="card" aria-label="Waiting for an event">
      <Text size="sm" mb="sm">
        <InlineCode>{detail}</InlineCode> Send an event to the draft run.
      </Text>
      <JsonField label="Event as JSON" value={value} broken={broken} onChange={setValue} onBroken={setBroken} />
      <Group justify="flex-end" mt="sm">
        <Button
          size="xs"
          leftSection={<Send size={14} aria-hidden />}
          disabled={!isReady}
          onClick={() => {
            if (isReady && isJsonObject(value)) onSend({ ...value, type });
          }}
        >
          Send
        </Button>
      </Group>
    </section>
  );
}
