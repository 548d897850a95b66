import { Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';

const GATEWAY = `model_gateways:
  - name: local
    base_url: http://127.0.0.1:11434/v1
    structured_outputs: true
model_aliases:
  openai/gpt-5-mini: local/llama3.2
`;

/** A model on one's own machine, as lines to copy. @param isOpen whether it is unfolded until somebody folds it */
export function OwnServer({ isOpen }: { isOpen: boolean }) {
  return (
    <details open={isOpen} className="own-server">
      <summary>A model on this machine, or a gateway</summary>
      <Stack gap="xs" mt="xs">
        <Text size="sm">
          Ollama, LM Studio, llama.cpp and most gateways speak OpenAI&apos;s chat completions. Name the server in{' '}
          <code>cuebook.yaml</code> in the data directory (<code>npx cuebook doctor</code> says where); a running
          Cuebook notices within a second.
        </Text>
        <CodeBlock text={GATEWAY} label="Lines for cuebook.yaml" />
        <Text size="sm" c="dimmed">
          The alias lets functions that name <code>openai/gpt-5-mini</code>, as the sample does, use it as they are.
          Amazon Bedrock, Azure and Google Vertex AI are set up by variables of the environment.
        </Text>
      </Stack>
    </details>
  );
}
