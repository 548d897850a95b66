import { expect, test } from 'vitest';
import { isResourceName } from './reference.ts';

test.each([
  'arn:aws:bedrock:eu-west-1:471147114711:inference-profile/eu.anthropic.claude-sonnet-4',
  'arn:aws-us-gov:sagemaker:us-gov-west-1:471147114711:endpoint/x',
  'ARN:AWS:bedrock:eu-west-1::foundation-model/x',
  'bedrock/arn:aws:bedrock:eu-west-1:471147114711:provisioned-model/x',
  'bedrock/converse/arn:aws-cn:bedrock:cn-north-1:471147114711:custom-model/x',
  'arn%3Aaws%3Abedrock%3Aeu-west-1%3A471147114711%3Ainference-profile%2Fx',
  'arn%253Aaws%253Abedrock%253Aeu-west-1',
  '/subscriptions/0b1f6471/resourceGroups/desk/providers/Microsoft.CognitiveServices/accounts/desk/deployments/gpt',
  'subscriptions/0b1f6471/resourcegroups/desk',
  'azure/subscriptions/0b1f6471',
  'resourceGroups/desk/providers/Microsoft.CognitiveServices/accounts/desk',
  'providers/Microsoft.MachineLearningServices/workspaces/desk',
  'azureml://registries/azureml-openai/models/gpt/versions/2',
  'azureml:gpt:2',
  'https://desk.openai.azure.com/openai/deployments/gpt',
  'desk.openai.azure.com/deployments/gpt',
  'projects/desk-4711/locations/europe-west1/endpoints/4711',
  '/projects/desk-4711/locations/europe-west1/publishers/google/models/gemini',
  '//aiplatform.googleapis.com/projects/desk-4711/locations/europe-west1/models/x',
  'vertex_ai/projects/desk-4711/locations/europe-west1/endpoints/4711',
  'projects%2Fdesk-4711%2Flocations%2Feurope-west1',
  'locations/europe-west1/publishers/google/models/gemini',
  'publishers/google/models/gemini-2.5-flash',
  'vertex_ai/publishers/google/models/gemini-2.5-flash',
  'europe-west1-aiplatform.googleapis.com/v1',
  's3://bucket/model',
  'gs://bucket/model',
  'ocid1.generativeaimodel.oc1.eu-frankfurt-1.amaa',
  'crn:v1:bluemix:public:pm-20:eu-de:a/4711::',
])('the name of a resource: %s', (name) => {
  expect(isResourceName(name)).toBe(true);
});

test.each([
  'gpt-5-mini',
  'anthropic/claude-sonnet-4',
  'eu.anthropic.claude-sonnet-4-20250514-v1:0',
  'amazon.nova-pro-v1:0',
  'models/gemini-2.5-flash',
  'google/gemini-2.5-flash',
  'accounts/fireworks/models/llama-v3p1-8b-instruct',
  'meta-llama/Llama-3.3-70B-Instruct:free',
  'learn:7b',
  'hf.co/someone/model-GGUF:Q4_K_M',
  'team/projects-assistant',
  'llama3.2:latest',
  'subscription-helper',
])('the id of a model: %s', (id) => {
  expect(isResourceName(id)).toBe(false);
});
