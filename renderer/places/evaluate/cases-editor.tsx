import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { InlineCode } from '../../ui/inline-code.tsx';
import { casesText, type EvaluationCase, parseCases } from './cases.ts';

export interface CasesEditorProps {
  cases: readonly EvaluationCase[];
  wrongs: readonly string[];
  onChange: (cases: EvaluationCase[]) => void;
  onWrongs: (wrongs: readonly string[]) => void;
}

/** The cases as the lines of their file. Lines that are not valid stay in the field and change nothing. */
export function CasesEditor({ cases, wrongs, onChange, onWrongs }: CasesEditorProps) {
  const [written, setWritten] = useState<{ text: string; of: readonly EvaluationCase[] }>();
  const text = written !== undefined && (written.of === cases || wrongs.length > 0) ? written.text : casesText(cases);
  return (
    <>
      <Textarea
        aria-label="Cases, one JSON object a line"
        autosize
        minRows={6}
        maxRows={22}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        placeholder={'{"name": "outage", "input": {"title": "Nothing works"}, "expect": {"severity": "high"}}'}
        value={text}
        error={wrongs.length === 0 ? undefined : <Wrongs wrongs={wrongs} />}
        onChange={({ currentTarget: { value } }) => {
          const read = parseCases(value);
          setWritten({ text: value, of: read.wrongs.length === 0 ? read.cases : cases });
          onWrongs(read.wrongs);
          if (read.wrongs.length === 0) onChange(read.cases);
        }}
      />
      <Text size="xs" c="dimmed" mt={6}>
        {cases.length === 1 ? '1 case' : `${cases.length} cases`}, kept in this browser. Download them to keep them
        beside the definition, where <code>cuebook eval</code> finds them. A case has <code>expect</code>, the output,
        or <code>check</code>, a jq expression over input and output.
      </Text>
    </>
  );
}

/** The first of the lines that are not valid, each on a line of its own. */
function Wrongs({ wrongs }: { wrongs: readonly string[] }) {
  return wrongs.slice(0, 5).map((wrong) => (
    <Text span display="block" inherit key={wrong}>
      <InlineCode>{wrong}</InlineCode>
    </Text>
  ));
}
