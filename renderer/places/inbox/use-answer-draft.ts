import { useState } from 'react';
import type { Json } from '../../../shared/json.ts';
import { isOnlyInMemory } from '../../ui/browser-storage.ts';
import { answerKey, dropAnswer, keepAnswer, readAnswer, type WrittenAnswer } from './answer-drafts.ts';

export interface AnswerDraft extends WrittenAnswer {
  /** False if the browser's storage is full. */
  isKept: boolean;
  write: (answer: Json) => void;
  writeBroken: (text: string | undefined) => void;
  drop: () => void;
}

/** The draft of an answer. It survives reloads until it is sent or discarded. */
export function useAnswerDraft(playbook: string, runId: string): AnswerDraft {
  const [written, setWritten] = useState(() => readAnswer(playbook, runId));
  const keep = (next: WrittenAnswer): void => {
    setWritten(next);
    keepAnswer(playbook, runId, next);
  };
  return {
    ...written,
    isKept: !isOnlyInMemory(answerKey(playbook, runId)),
    write: (answer) => keep({ answer }),
    writeBroken: (broken) => keep({ ...written, broken }),
    drop() {
      setWritten({});
      dropAnswer(playbook, runId);
    },
  };
}
