import { Alert, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { addExample, type NewExample } from './add-example.ts';
import { JsonView } from '../../ui/json/json-view.tsx';
import { sensitivePaths } from './sensitive.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export interface SaveExampleProps {
  type: DefinitionType;
  /** The text that gets the example. */
  source: string;
  example: Omit<NewExample, 'name'>;
  /** What the example does not hold, in words. */
  missing?: string | undefined;
  onClose: () => void;
  /** Called with the text that has the example. */
  onAdd: (text: string) => void;
}

/** Shows what becomes part of the document before it does. */
export function SaveExample({ type, source, example, missing, onClose, onAdd }: SaveExampleProps) {
  const [name, setName] = useState('');
  const text = useMemo(
    () => addExample(type, source, { name: name.trim(), ...example }),
    [type, source, name, example],
  );
  const bytes = text === undefined ? 0 : new TextEncoder().encode(text).length;
  const secrets = useMemo(() => sensitivePaths({ ...example }), [example]);
  const isTooLarge = bytes > LIMITS.sourceBytes;
  const isReady = name.trim() !== '' && text !== undefined && !isTooLarge;
  return (
    <ActionDialog
      title="Save as example"
      size="lg"
      action="Add to the draft"
      isReady={isReady}
      onAction={() => text !== undefined && onAdd(text)}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What the example shows, for example: a large order."
        data-autofocus
        maxLength={80}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <Text size="sm">
        The example becomes part of the document. Anyone who can read the definition can see its values.
      </Text>
      <JsonView value={example} label="Example" />
      {missing !== undefined && <Alert color="yellow">{missing}</Alert>}
      {secrets.length > 0 && (
        <Alert color="yellow" title="This looks like a secret">
          {secrets.join(', ')}. Replace such values in the document before you save it.
        </Alert>
      )}
      {text === undefined && (
        <Alert color="red">
          There is no list of examples in this document that can be extended. Correct the document, or write{' '}
          <code>examples</code> as a list.
        </Alert>
      )}
      {isTooLarge && (
        <Alert color="red">
          With this example the document has {bytes.toLocaleString()} bytes. The limit is{' '}
          {LIMITS.sourceBytes.toLocaleString()} bytes.
        </Alert>
      )}
    </ActionDialog>
  );
}
