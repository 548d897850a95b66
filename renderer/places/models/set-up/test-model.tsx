import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { durationWords } from '../../../../shared/duration-words.ts';
import { call } from '../../../api/call.ts';
import { IfMay } from '../../../sign-in/if-may.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { ProblemView } from '../../../ui/problem-view.tsx';
import { InlineCode } from '../../../ui/inline-code.tsx';

/** Asks a model a short question, and shows its answer or why there is none. */
export function TestModel({ model }: { model: string }) {
  const testing = useMutation({ mutationFn: () => call('test_model', { model }) });
  const { data } = testing;
  return (
    <IfMay call="test_model">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<PlugZap size={13} aria-hidden />}
          aria-label={`Test ${model}`}
          loading={testing.isPending}
          onClick={() => testing.mutate()}
          style={{ flexShrink: 0 }}
        >
          Test
        </Button>
        <Text size="xs" component="div" role="status" style={{ overflowWrap: 'anywhere' }}>
          {data?.ok === true && (
            <Mark sense="good">
              {model} answered in {durationWords(data.duration_ms)}: {data.text}
            </Mark>
          )}
          {data?.ok === false && data.detail !== undefined && (
            <Mark sense="bad">
              <InlineCode>{data.detail}</InlineCode>
            </Mark>
          )}
        </Text>
      </Group>
      {testing.error !== null && <ProblemView error={testing.error} />}
    </IfMay>
  );
}
