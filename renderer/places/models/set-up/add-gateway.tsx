import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ProblemView } from '../../../ui/problem-view.tsx';
import { useChangeSetUp } from './set-up-queries.ts';

/** Adds a server that speaks the OpenAI Chat Completions API. */
export function AddGateway({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const [variable, setVariable] = useState('');
  const [isStructured, setStructured] = useState(true);
  const adding = useChangeSetUp(onClose);
  return (
    <Modal opened onClose={onClose} title="Add a gateway" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          adding.mutate({
            gateway: {
              name: name.trim(),
              base_url: address.trim(),
              ...(variable.trim() === '' ? {} : { key_variable: variable.trim() }),
              structured_outputs: isStructured,
            },
          });
        }}
      >
        <Stack>
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
          {adding.error !== null && <ProblemView error={adding.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={adding.isPending}>
              Add gateway
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
