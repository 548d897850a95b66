// Generated from the descriptions of the server by `npm run api:client`. Do not edit.
import type { TaskEditing } from '../workflow-tasks.ts';

/** The display names of the built-in model providers. */
export const MODEL_PROVIDER_NAMES: Readonly<Record<string, string>> = {
  "openai": "OpenAI",
  "anthropic": "Anthropic",
  "google": "Google",
  "mistral": "Mistral",
  "xai": "xAI",
  "groq": "Groq",
  "deepseek": "DeepSeek",
  "cohere": "Cohere",
  "amazon-bedrock": "Amazon Bedrock",
  "azure": "Azure",
  "google-vertex": "Google Vertex AI",
};

/** How steps of workflows are edited, by the type of their task. */
export const WORKFLOW_TASKS: Readonly<Record<string, TaskEditing>> = {
  "call": {"fields":[{"label":"Calls","pointer":"/call","kind":"called","isRequired":true},{"label":"With (JSON)","pointer":"/with","kind":"json"}],"schema":{"alternatives":{"at":"/$defs/callTask","without":["CallAsyncAPI","CallGRPC","CallA2A"],"add":[{"title":"CallTool","description":"Calls a tool of a connected server.","type":"object","required":["call","with"],"allOf":[{"$ref":"#/$defs/taskBase"},{"properties":{"call":{"const":"tool"},"with":{"type":"object","required":["tool"],"properties":{"tool":{"type":"string","description":"A tool, as SERVER/TOOL."},"arguments":{"type":"object","description":"The tool's arguments, or an expression in ${ }."}}}}}]}]}}},
  "emit": {"insert":{"about":"Publish an event","name":"announce","task":{"emit":{"event":{"with":{"type":"step.done"}}}}},"fields":[{"label":"Event (JSON)","pointer":"/emit/event/with","kind":"json","isRequired":true}]},
  "for": {"insert":{"about":"Run steps for each item of a list","name":"each","task":{"for":{"each":"item","in":"[1, 2, 3]"},"do":[{"step":{"set":{"item":"${ $item }"}}}]}},"fields":[{"label":"For each","pointer":"/for/each","kind":"text","placeholder":"item"},{"label":"In","pointer":"/for/in","kind":"text","isRequired":true,"placeholder":".items"},{"label":"While","pointer":"/while","kind":"text","placeholder":".amount > 100"}],"lists":[{"at":"/do"}]},
  "fork": {"insert":{"about":"Run branches in parallel","name":"parallel","task":{"fork":{"branches":[{"first":{"set":{"value":1}}},{"second":{"set":{"value":2}}}]}}},"lists":[{"at":"/fork/branches","isBranches":true}]},
  "listen": {"insert":{"about":"Wait for an event","name":"listen","task":{"listen":{"to":{"one":{"with":{"type":"step.done"}}}}}},"fields":[{"label":"Listen to (JSON)","pointer":"/listen/to","kind":"json","isRequired":true}],"lists":[{"at":"/foreach/do"}]},
  "raise": {"insert":{"about":"Fail with an error","name":"fail","task":{"raise":{"error":{"type":"https://serverlessworkflow.io/spec/1.0.0/errors/runtime","status":500,"title":"The step failed"}}}},"fields":[{"label":"Error (JSON)","pointer":"/raise/error","kind":"json","isRequired":true}]},
  "run": {"fields":[{"label":"Input (JSON)","pointer":"/run/workflow/input","kind":"json"}],"schema":{"alternatives":{"at":"/$defs/runTask/allOf/1/properties/run","without":["RunContainer","RunScript","RunShell"]},"remove":["/$defs/runTask/allOf/1/properties/run/properties/return"]}},
  "set": {"insert":{"about":"Set the output to a value","name":"set","task":{"set":{"value":1}}},"fields":[{"label":"Set (JSON)","pointer":"/set","kind":"json","isRequired":true}]},
  "switch": {"insert":{"about":"Continue depending on conditions","name":"choose","task":{"switch":[{"matches":{"when":". != null","then":"continue"}},{"otherwise":{"then":"continue"}}]}}},
  "try": {"insert":{"about":"Catch the errors of steps","name":"attempt","task":{"try":[{"step":{"set":{"value":1}}}],"catch":{"errors":{},"do":[{"recover":{"set":{"error":"${ $error.title }"}}}]}}},"lists":[{"at":"/try"},{"at":"/catch/do"}]},
  "wait": {"insert":{"about":"Wait for a time","name":"pause","task":{"wait":"PT5S"}},"fields":[{"label":"Wait","pointer":"/wait","kind":"text","isRequired":true,"placeholder":"PT5S"}]},
  "do": {"insert":{"about":"Group steps","name":"group","task":{"do":[{"step":{"set":{"value":1}}}]}},"lists":[{"at":"/do"}]},
};
