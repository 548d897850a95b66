import {
  Brain,
  Calculator,
  type LucideIcon,
  MessageCircleQuestion,
  Telescope,
  TrendingUp,
  Workflow,
} from 'lucide-react';
import { DEFINITION_FACTS, type DefinitionType } from '../../shared/definition-types.ts';

const ICONS: Readonly<Record<(typeof DEFINITION_FACTS)[DefinitionType]['icon'], LucideIcon>> = {
  brain: Brain,
  calculator: Calculator,
  question: MessageCircleQuestion,
  telescope: Telescope,
  trend: TrendingUp,
  workflow: Workflow,
};

export function TypeIcon({ type, size = 16 }: { type: DefinitionType; size?: number }) {
  const Icon = ICONS[DEFINITION_FACTS[type].icon];
  return <Icon size={size} aria-hidden className="type-icon" />;
}
