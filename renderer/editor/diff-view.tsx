import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DefinitionType } from '../../shared/definition-types.ts';
import { FONT, languageOf, monaco } from './monaco.ts';

export interface DiffViewProps {
  type: DefinitionType;
  before: string;
  after: string;
  /** Labels of the two documents for screen readers. */
  labels?: readonly [before: string, after: string];
}

const LABELS = ['Before', 'After'] as const;

/** Two documents side by side, with unchanged parts collapsed. */
export function DiffView({ type, before, after, labels = LABELS }: DiffViewProps) {
  const scheme = useComputedColorScheme('light');
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current === null) return;
    const original = monaco.editor.createModel(before, languageOf(type));
    const modified = monaco.editor.createModel(after, languageOf(type));
    const editor = monaco.editor.createDiffEditor(container.current, {
      automaticLayout: true,
      readOnly: true,
      fontFamily: FONT,
      fontSize: 13,
      lineHeight: 20,
      hideUnchangedRegions: { enabled: true },
      minimap: { enabled: false },
      renderOverviewRuler: false,
      scrollBeyondLastLine: false,
      useInlineViewWhenSpaceIsLimited: true,
    });
    editor.setModel({ original, modified });
    editor.getOriginalEditor().updateOptions({ ariaLabel: labels[0] });
    editor.getModifiedEditor().updateOptions({ ariaLabel: labels[1] });
    return () => {
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [type, before, after, labels]);
  useEffect(() => monaco.editor.setTheme(`cuebook-${scheme}`), [scheme]);
  return <div ref={container} style={{ height: '100%' }} />;
}
