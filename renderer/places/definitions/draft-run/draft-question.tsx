import { Button, Group, Skeleton, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { DraftRun } from '../../../../shared/api/index.ts';
import { InputForm } from '../../../forms/input-form.tsx';
import { blankValue } from '../../../forms/schema/blank-value.ts';
import { InlineCode } from '../../../ui/inline-code.tsx';
import type { GivenResult } from './use-draft-run.ts';

const Markdown = lazy(async () => ({ default: (await import('../../../ui/markdown.tsx')).Markdown }));

const ANY_VALUE: JsonObject = {};

/** A question of a draft run, answered in place, or a call that it does not make, whose result is given in place. */
export function DraftQuestion({
  question,
  onGive,
}: {
  question: DraftRun['questions'][number];
  onGive: (given: GivenResult) => void;
}) {
  const { call, called, asks_for: asksFor, to, message, detail, issues = [] } = question;
  const schema = question.schema ?? ANY_VALUE;
  const [value, setValue] = useState<Json>(() => blankValue(schema, asksFor === 'result' ? {} : null));
  const [broken, setBroken] = useState<string>();
  const [isUnread, setUnread] = useState(false);
  const isAnswer = asksFor === 'answer';
  const title = isAnswer ? `Waiting for an answer from ${to ?? 'someone'}` : `Waiting for the result of ${called}`;
  return (
    <section className="card" aria-label={title}>
      <Text component="h3" fw={650} size="sm" mb={6}>
        {title}
      </Text>
      {message !== undefined && (
        <Suspense fallback={<Skeleton height={40} />}>
          <Markdown text={message} />
        </Suspense>
      )}
      {message === undefined && detail !== undefined && (
        <Text size="sm" mb="sm" className="draft-detail">
          <InlineCode>{detail}</InlineCode>
        </Text>
      )}
      {issues.length > 0 && (
        <Text size="sm" c="red" role="alert" mb="sm">
          <InlineCode>{issues.map((issue) => issue.detail).join(' ')}</InlineCode>
        </Text>
      )}
      <InputForm
        schema={schema}
        what={isAnswer ? 'answer' : 'result'}
        hasButtons
        value={value}
        broken={broken}
        onChange={setValue}
        onBroken={setBroken}
        onUnread={setUnread}
      />
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button
          size="xs"
          variant="default"
          onClick={() => onGive({ call, failure: isAnswer ? 'unanswered' : 'unavailable' })}
        >
          {isAnswer ? 'Let it expire' : 'Let it fail'}
        </Button>
        <Button
          size="xs"
          leftSection={<Send size={14} aria-hidden />}
          disabled={broken !== undefined || isUnread}
          onClick={() => onGive({ call, output: value })}
        >
          {isAnswer ? 'Answer' : 'Use this result'}
        </Button>
      </Group>
    </section>
  );
}
