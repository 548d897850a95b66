import { Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';

const GATEWAY = `model_gateways:
  - name: local
    base_url: http://127.0.0.1:11434/v1
    structured_outputs: true
    include_usage: true
model_aliases:
  openai/gpt-5-mini: local/llama3.2
`;

/** Configuration for a local model, to copy. @param isOpen whether it is initially expanded */
export function OwnServer({ isOpen }: { isOpen: boolean }) {
  return (
    <details open={isOpen} className="own-server">
      <summary>Local models and gateways</summary>
      <Stack gap="xs" mt="xs">
        <Text size="sm">
          Ollama, LM Studio, llama.cpp and most gateways support the OpenAI Chat Completions API. Add the server to{' '}
          <code>cuebook.yaml</code> in the data directory (<code>npx cuebook doctor</code> shows where). A running
          server picks up the change within a second.
        </Text>
        <CodeBlock text={GATEWAY} label="Configuration for cuebook.yaml" />
        <Text size="sm" c="dimmed">
          With the alias, functions that use <code>openai/gpt-5-mini</code>, as the sample does, work unchanged.
          Configure Amazon Bedrock, Azure and Google Vertex AI with environment variables.
        </Text>
      </Stack>
    </details>
  );
}
