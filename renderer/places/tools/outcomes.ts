import { CircleAlert, CircleCheck, CircleDashed, CircleX, TimerOff, type LucideIcon, Maximize2 } from 'lucide-react';
import type { ToolCall } from '../../../shared/api/index.ts';
import type { Sense } from '../../ui/mark.tsx';

interface Outcome {
  word: string;
  sense: Sense;
  icon: LucideIcon;
  /** What it means, and what to do. */
  means: string;
}

export const OUTCOMES: Readonly<Record<ToolCall['outcome'], Outcome>> = {
  result: { word: 'Result', sense: 'good', icon: CircleCheck, means: 'The tool gave its result.' },
  tool_error: {
    word: 'Error of the tool',
    sense: 'warn',
    icon: CircleAlert,
    means: 'The tool said no, or refused the arguments. A function that called it may try otherwise.',
  },
  server_failure: {
    word: 'The server failed',
    sense: 'bad',
    icon: CircleX,
    means: 'No usable answer came. The tool may have had an effect: look before calling again.',
  },
  timed_out: {
    word: 'Timed out',
    sense: 'bad',
    icon: TimerOff,
    means: 'No answer came within 30 seconds. The tool may have had an effect: look before calling again.',
  },
  too_large: {
    word: 'Too large',
    sense: 'bad',
    icon: Maximize2,
    means: 'The result was larger than one call may return. The tool did its work: ask it for less.',
  },
};

export const NO_ANSWER: Outcome = {
  word: 'No answer recorded',
  sense: 'quiet',
  icon: CircleDashed,
  means: 'The call is still running, or its caller disconnected.',
};
