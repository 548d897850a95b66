import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { graphQuery, versionQuery } from '../../api/queries.ts';
import { CodeFrame } from './code-frame.tsx';
import { LineLink } from './line-link.tsx';
import type { Span } from './spans.ts';

/** The lines of a step in the version that ran, with a link to the document. */
export function StepSource({ playbook, span }: { playbook: string; span: Span }) {
  const { type, name, version } = span.events[0]?.metadata.definition ?? {};
  if (type === undefined || name === undefined || version === undefined) return null;
  return <SourceLines playbook={playbook} type={type} name={name} version={version} pointer={span.pointer ?? ''} />;
}

export interface SourceLinesProps {
  playbook: string;
  type: DefinitionType;
  name: string;
  version: number;
  /** A JSON Pointer to the step. */
  pointer: string;
}

export function SourceLines({ playbook, type, name, version, pointer }: SourceLinesProps) {
  const definition = { playbook, type, name };
  const graph = useQuery(graphQuery(definition, version));
  const source = useQuery(versionQuery(definition, version));
  const line = graph.data?.nodes.find(({ id }) => id === pointer)?.line;
  if (line === undefined) return null;
  return (
    <section aria-label="Source">
      <Text component="h3" fw={650} size="sm" mb={4}>
        Source
      </Text>
      {source.data !== undefined && (
        <CodeFrame source={source.data.source} line={line} label={`Line ${line} of ${name}`} />
      )}
      <LineLink ran={{ definition, version }} line={line} />
    </section>
  );
}
