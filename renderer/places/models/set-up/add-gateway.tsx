import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChangeSetUp } from './set-up-queries.ts';
import { ActionDialog } from '../../../ui/action-dialog.tsx';

/** Adds a server that speaks the OpenAI Chat Completions API. */
export function AddGateway({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [variable, setVariable] = useState('');
  const [isStructured, setStructured] = useState(true);
  const adding = useChangeSetUp(onClose);
  return (
    <ActionDialog
      title="Add a gateway"
      action="Add gateway"
      isPending={adding.isPending}
      error={adding.error}
      onAction={() =>
        adding.mutate({
          gateway: {
            name: name.trim(),
            base_url: address.trim(),
            ...(variable.trim() === '' ? {} : { key_variable: variable.trim() }),
            structured_outputs: isStructured,
          },
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The part of a model's reference before the slash, for example: company."
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <TextInput
        label="Address"
        description="The base URL of its OpenAI Chat Completions API."
        placeholder="https://gateway.example.com/v1"
        required
        value={address}
        onChange={({ currentTarget: { value } }) => setAddress(value)}
      />
      <TextInput
        label="Key variable"
        description="The environment variable, or entry of the env file, that holds the key. Leave empty to send no key."
        placeholder="GATEWAY_KEY"
        value={variable}
        onChange={({ currentTarget: { value } }) => setVariable(value)}
      />
      <Checkbox
        label="Supports JSON schemas for responses"
        checked={isStructured}
        onChange={({ currentTarget: { checked } }) => setStructured(checked)}
      />
    </ActionDialog>
  );
}
