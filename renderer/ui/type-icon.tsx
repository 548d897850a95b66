import {
  Brain,
  Calculator,
  type LucideIcon,
  MessageCircleQuestion,
  Telescope,
  TrendingUp,
  Workflow,
} from 'lucide-react';
import type { DefinitionType } from '../../shared/definition-types.ts';

const ICONS: Readonly<Record<DefinitionType, LucideIcon>> = {
  reasoning: Brain,
  interaction: MessageCircleQuestion,
  prediction: TrendingUp,
  recall: Telescope,
  computation: Calculator,
  workflow: Workflow,
};

export function TypeIcon({ type, size = 16 }: { type: DefinitionType; size?: number }) {
  const Icon = ICONS[type];
  return <Icon size={size} aria-hidden className="type-icon" />;
}
