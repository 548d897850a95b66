import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { DocumentGraph } from '../../../../shared/api/index.ts';
import type { DefinitionKey } from '../../../api/queries.ts';
import { useMayCall } from '../../../api/session/use-session.ts';
import { type ExampleOfRun, exampleOfDraft } from '../../../editor/examples/example-of-run.ts';
import { SaveExample } from '../../../editor/examples/save-example.tsx';
import type { DraftSource } from '../use-source.ts';
import { DraftResult } from './draft-result.tsx';
import type { DraftRunning } from './use-draft-run.ts';

export interface DraftOutcomeProps {
  definitionKey: DefinitionKey;
  source: DraftSource;
  draft: DraftRunning;
  graph: DocumentGraph | undefined;
}

/** A draft run, and the dialog that makes an example of it. */
export function DraftOutcome({ definitionKey: { type }, source, draft, graph }: DraftOutcomeProps) {
  const [saved, setSaved] = useState<ExampleOfRun>();
  const maySave = useMayCall('update_definition') && !source.isRetired;
  return (
    <>
      <DraftResult
        draft={draft}
        graph={graph}
        onSaveExample={maySave ? (result, input) => setSaved(exampleOfDraft(type, input, result)) : undefined}
      />
      {saved !== undefined && (
        <SaveExample
          type={type}
          source={source.text}
          example={saved.example}
          missing={saved.missing}
          onClose={() => setSaved(undefined)}
          onAdd={(text) => {
            source.replace(text);
            setSaved(undefined);
            notifications.show({ message: 'The example is in the draft. Save the definition to keep it.' });
          }}
        />
      )}
    </>
  );
}
