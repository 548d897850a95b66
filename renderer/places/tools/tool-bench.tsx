import '../../ui/two-columns.css';
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ClipboardCheck, FlaskConical, type LucideIcon, Zap } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import type { ToolDescription } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { ToolKey } from '../../api/queries.ts';
import { useCommandKey } from '../../ui/keyboard.ts';
import { ShortcutKey } from '../../ui/shortcut-key.tsx';
import { SHORTCUTS } from '../../ui/shortcuts.ts';
import { InputForm } from '../../forms/input-form.tsx';
import { type InputName, useKeptInput } from '../../forms/kept-input.ts';
import { blankValue } from '../../forms/schema/blank-value.ts';
import { callCopies } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { type Action, type BenchAnswer, BenchResult } from './bench-result.tsx';
import { callHistoryKey } from './tool-queries.ts';
import { MissingPermission } from '../../sign-in/if-may.tsx';
import { useMayCall } from '../../api/session/use-session.ts';
import { ActionDialog, type ActionDialogProps } from '../../ui/action-dialog.tsx';

/** Arguments on the left, the result on the right. */
export function ToolBench({ toolKey, tool }: { toolKey: ToolKey; tool: ToolDescription }) {
  const client = useQueryClient();
  const schema = tool.input_schema;
  const written = useKeptInput(argumentsOf(toolKey), () => blankValue(schema, {}));
  const { value, broken } = written;
  const [isUnread, setUnread] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const isReading = tool.annotations?.readOnlyHint === true;
  const args = isJsonObject(value) ? value : undefined;
  const canAsk = args !== undefined && broken === undefined && !isUnread;
  const asking = useMutation({
    mutationFn: (action: Action) => ask(toolKey, action, args ?? {}),
    onSettled(_answer, _error, action) {
      if (action === 'execute') void client.invalidateQueries({ queryKey: callHistoryKey(toolKey) });
    },
  });
  const act = (action: Action): void => {
    if (!canAsk || asking.isPending) return;
    setConfirming(false);
    asking.mutate(action);
  };
  const mayExecute = useMayCall('execute');
  const execute = (): void => {
    if (!mayExecute) return;
    if (isReading || isConfirming) act('execute');
    else if (canAsk && !asking.isPending) setConfirming(true);
  };
  useCommandKey('Enter', execute);

  const running = asking.isPending ? asking.variables : undefined;
  const checkButton = (action: Action, label: string, Icon: LucideIcon) => (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={running === action}
      disabled={!canAsk}
      onClick={() => act(action)}
    >
      {label}
    </Button>
  );
  return (
    <div className="tool-bench">
      <section aria-label="Arguments" className="run-half">
        <Group justify="space-between" mb="sm" gap="xs">
          <Text component="h2" fw={650}>
            Arguments
          </Text>
          <CopyAs isOff={!canAsk} copies={copiesOf(toolKey, args ?? {})} />
        </Group>
        <InputForm {...written} schema={schema} onUnread={setUnread} />
        {args === undefined && (
          <Text size="sm" c="red" role="alert" mt="xs">
            Arguments are a JSON object, such as {'{}'}.
          </Text>
        )}
        <Group gap="xs" mt="md">
          {checkButton('validate', 'Validate', ClipboardCheck)}
          {checkButton('dry_run', 'Dry run', FlaskConical)}
          {mayExecute && (
            <Button
              size="xs"
              leftSection={<Zap size={14} aria-hidden />}
              rightSection={<ShortcutKey of={SHORTCUTS.run} />}
              loading={running === 'execute'}
              disabled={!canAsk}
              onClick={execute}
            >
              Execute
            </Button>
          )}
        </Group>
        <MissingPermission call="execute" to="execute tools" />
        <Text size="xs" c="dimmed" mt={8}>
          Validate and Dry run do not call the tool. Execute makes one real call for this playbook and records it.
        </Text>
      </section>
      <section aria-label="Result" className="run-half run-result" aria-live="polite">
        <BenchResult
          playbook={toolKey.playbook}
          answer={asking.data}
          error={asking.error}
          asked={asking.variables}
          isPending={asking.isPending}
        />
      </section>
      <ConfirmCall
        toolKey={toolKey}
        args={args}
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onAction={() => act('execute')}
      />
    </div>
  );
}

interface ConfirmCallProps extends Pick<ActionDialogProps, 'opened' | 'onAction' | 'onClose'> {
  toolKey: ToolKey;
  args: JsonObject | undefined;
}

function ConfirmCall({ toolKey, args, ...dialog }: ConfirmCallProps) {
  return (
    <ActionDialog {...dialog} title={`Call ${toolKey.server}/${toolKey.tool}?`} action="Call the tool" focus="action">
      <Text size="sm">
        This is a real call. The server does not mark the tool as read-only, so it may make permanent changes.
      </Text>
      <JsonView value={args} label="Arguments of the call" />
    </ActionDialog>
  );
}

async function ask(key: ToolKey, action: Action, args: JsonObject): Promise<BenchAnswer> {
  switch (action) {
    case 'validate':
      return { action, answer: await call('validate', { ...key, arguments: args }) };
    case 'dry_run':
      return { action, answer: await call('dry_run', { ...key, arguments: args }) };
    case 'execute':
      return { action, answer: await call('execute', { ...key, arguments: args }) };
  }
}

function copiesOf(key: ToolKey, args: JsonObject) {
  return [
    ...callCopies('execute', { ...key, arguments: args }),
    { name: 'JSON', text: () => JSON.stringify(args, undefined, 2) },
  ];
}

const argumentsOf = ({ playbook, server, tool }: ToolKey): InputName => `tool input ${playbook} ${server}/${tool}`;
