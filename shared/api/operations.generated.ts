// Generated from the OpenAPI document by `npm run api:client`. Do not edit.
import type { Json, JsonObject } from "../json.ts";

export interface Problem {
  /**
   * Which problem; its last part is its name.
   * @format uri
   */
  type: string;
  /** The problem in a few words. */
  title: string;
  /**
   * The HTTP status.
   * @min 400
   * @max 599
   */
  status: number;
  /** What is wrong and what to do. */
  detail: string;
  /** The reason of the refusal or rejection. */
  reason: string;
  /** Which case of the reason. */
  kind?: string;
  /** What lies behind it. */
  because?: string;
  /**
   * With status 500: identifies the log entry.
   * @format uri
   */
  instance?: string;
  /** With `invalid_input`: everything that is wrong. */
  errors?: {
    /** What is wrong there and what to write instead. */
    detail: string;
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
  }[];
  /**
   * The run whose ending this is.
   * @format uuid
   */
  run_id?: string;
}

export interface CreatePlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /**
   * The id, as it stands in paths.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  playbook: string;
  /**
   * What people call the playbook; stored without surrounding white space.
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * What the playbook is for; stored without surrounding white space.
   * @maxLength 2000
   */
  description?: string;
}

export interface CreatePlaybookAnswer {
  /** The id; never used again once the playbook is retired. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is for; may be empty. */
  description: string;
  /** A retired one can be read and takes no commands. */
  status: "active" | "retired";
  /**
   * When it was created.
   * @format date-time
   */
  created_at: string;
  /** The caller who created it. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
}

export interface ListPlaybooksInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** Whether retired playbooks are listed too. */
  include_retired?: boolean;
}

export interface ListPlaybooksAnswer {
  playbooks: {
    /** The id; never used again once the playbook is retired. */
    id: string;
    /** What people call it. */
    name: string;
    /** What it is for; may be empty. */
    description: string;
    /** A retired one can be read and takes no commands. */
    status: "active" | "retired";
    /**
     * When it was created.
     * @format date-time
     */
    created_at: string;
    /** The caller who created it. */
    created_by: string;
    /**
     * When it was last changed.
     * @format date-time
     */
    updated_at: string;
    /**
     * When it was retired; absent before.
     * @format date-time
     */
    retired_at?: string;
  }[];
}

export interface GetPlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
}

export interface GetPlaybookAnswer {
  /** The id; never used again once the playbook is retired. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is for; may be empty. */
  description: string;
  /** A retired one can be read and takes no commands. */
  status: "active" | "retired";
  /**
   * When it was created.
   * @format date-time
   */
  created_at: string;
  /** The caller who created it. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
}

export interface UpdatePlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * What people call the playbook; stored without surrounding white space.
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * What the playbook is for; stored without surrounding white space.
   * @maxLength 2000
   */
  description: string;
}

export interface UpdatePlaybookAnswer {
  /** The id; never used again once the playbook is retired. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is for; may be empty. */
  description: string;
  /** A retired one can be read and takes no commands. */
  status: "active" | "retired";
  /**
   * When it was created.
   * @format date-time
   */
  created_at: string;
  /** The caller who created it. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
}

export interface RetirePlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
}

export interface RetirePlaybookAnswer {
  /** The id; never used again once the playbook is retired. */
  id: string;
  /** What people call it. */
  name: string;
  /** What it is for; may be empty. */
  description: string;
  /** A retired one can be read and takes no commands. */
  status: "active" | "retired";
  /**
   * When it was created.
   * @format date-time
   */
  created_at: string;
  /** The caller who created it. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
}

export interface CreateDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /**
   * The name, as it stands in paths.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  name: string;
  /** The whole document, at most 65536 UTF-8 bytes. The guide of the type shows its format. */
  source: string;
}

export interface CreateDefinitionAnswer {
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired one can be read, not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input; absent: any JSON value. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** What else the document declares. */
  details: {
    /** Name of the output shape, where the document names one. */
    shape?: string;
    /** The definition is an MCP tool of its own. */
    expose?: true;
    /** Inputs to try the definition with. */
    examples?: {
      /** What the example is called. */
      name: string;
      /** What the example is run with. */
      input: Json;
      /** What it gives. */
      output?: Json;
      /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
      events?: JsonObject[];
      /** Workflows: what calls give, by step or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs of a workflow by itself; workflows with a schedule only. */
  triggers?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
    /** Event trigger: which events start a run. */
    filters?: {
      /** The filter's place in its document. */
      reference: string;
      /** The type of event that it keeps. */
      type?: string;
      /** The other attributes that events must have. */
      attributes: Record<string, Json>;
    }[];
    /** Cron trigger: five fields. */
    expression?: string;
    /** Every and after trigger: the period. */
    milliseconds?: number;
  }[];
  /** What was saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version. */
  triggers_since?: string;
  /** Recall functions: how the view stands; shown by get_definition. */
  standing?: {
    /** Whether runs are answered: not while the view of the current version is built, nor once it stalled. */
    state: "building" | "current" | "stalled";
    /**
     * The version whose view it is.
     * @min 1
     */
    version: number;
    /**
     * The place in the playbook's order of events up to which the view has read.
     * @min 0
     */
    checkpoint: number;
    /**
     * Events that the view keeps and has not read.
     * @min 0
     */
    behind: number;
    /**
     * When the state was stored.
     * @format date-time
     */
    at: string;
    /** The event at which the view stalled. */
    stalled_by?: {
      /** The event. */
      event_id: string;
      /** What kind of record it is, for example event_published. */
      type: string;
      /**
       * When the event was recorded.
       * @format date-time
       */
      at: string;
      /** Why `evolve` cannot take it. */
      detail: string;
    };
  };
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface ListDefinitionsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** Whether retired definitions are listed too. */
  include_retired?: boolean;
}

export interface ListDefinitionsAnswer {
  definitions: {
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** The name; unique within its type and playbook. */
    name: string;
    /**
     * The version, from 1.
     * @min 1
     */
    version: number;
    /** A retired one can be read, not edited or run. */
    status: "active" | "retired";
    /** Media type of the source. */
    media_type: string;
    /** The document's own description. */
    description?: string;
    /** JSON Schema of a run's input; absent: any JSON value. */
    input_schema?: Record<string, Json>;
    /** JSON Schema of a run's output. */
    output_schema?: Record<string, Json>;
    /** What else the document declares. */
    details: {
      /** Name of the output shape, where the document names one. */
      shape?: string;
      /** The definition is an MCP tool of its own. */
      expose?: true;
      /** Inputs to try the definition with. */
      examples?: {
        /** What the example is called. */
        name: string;
        /** What the example is run with. */
        input: Json;
        /** What it gives. */
        output?: Json;
        /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
        events?: JsonObject[];
        /** Workflows: what calls give, by step or by what is called. */
        calls?: JsonObject;
      }[];
    };
    /** What starts runs of a workflow by itself; workflows with a schedule only. */
    triggers?: {
      /** What it waits for. */
      kind: "event" | "cron" | "every" | "after";
      /** The trigger's place in its document. */
      reference: string;
      /** Event trigger: which events start a run. */
      filters?: {
        /** The filter's place in its document. */
        reference: string;
        /** The type of event that it keeps. */
        type?: string;
        /** The other attributes that events must have. */
        attributes: Record<string, Json>;
      }[];
      /** Cron trigger: five fields. */
      expression?: string;
      /** Every and after trigger: the period. */
      milliseconds?: number;
    }[];
    /** What was saved and may not be meant. */
    warnings: {
      /** JSON Pointer (RFC 6901) of the place. */
      pointer: string;
      /**
       * Line of the source, from 1.
       * @min 1
       */
      line: number;
      /**
       * Column of the line, from 1.
       * @min 1
       */
      column: number;
      /** What is wrong there and what to write instead. */
      detail: string;
    }[];
    /**
     * When its first version was saved.
     * @format date-time
     */
    created_at: string;
    /** The caller who saved the first version. */
    created_by: string;
    /**
     * When it was last changed.
     * @format date-time
     */
    updated_at: string;
    /** The caller who last changed it. */
    updated_by: string;
    /**
     * When it was retired; absent before.
     * @format date-time
     */
    retired_at?: string;
  }[];
}

export interface GetDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
}

export interface GetDefinitionAnswer {
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired one can be read, not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input; absent: any JSON value. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** What else the document declares. */
  details: {
    /** Name of the output shape, where the document names one. */
    shape?: string;
    /** The definition is an MCP tool of its own. */
    expose?: true;
    /** Inputs to try the definition with. */
    examples?: {
      /** What the example is called. */
      name: string;
      /** What the example is run with. */
      input: Json;
      /** What it gives. */
      output?: Json;
      /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
      events?: JsonObject[];
      /** Workflows: what calls give, by step or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs of a workflow by itself; workflows with a schedule only. */
  triggers?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
    /** Event trigger: which events start a run. */
    filters?: {
      /** The filter's place in its document. */
      reference: string;
      /** The type of event that it keeps. */
      type?: string;
      /** The other attributes that events must have. */
      attributes: Record<string, Json>;
    }[];
    /** Cron trigger: five fields. */
    expression?: string;
    /** Every and after trigger: the period. */
    milliseconds?: number;
  }[];
  /** What was saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version. */
  triggers_since?: string;
  /** Recall functions: how the view stands; shown by get_definition. */
  standing?: {
    /** Whether runs are answered: not while the view of the current version is built, nor once it stalled. */
    state: "building" | "current" | "stalled";
    /**
     * The version whose view it is.
     * @min 1
     */
    version: number;
    /**
     * The place in the playbook's order of events up to which the view has read.
     * @min 0
     */
    checkpoint: number;
    /**
     * Events that the view keeps and has not read.
     * @min 0
     */
    behind: number;
    /**
     * When the state was stored.
     * @format date-time
     */
    at: string;
    /** The event at which the view stalled. */
    stalled_by?: {
      /** The event. */
      event_id: string;
      /** What kind of record it is, for example event_published. */
      type: string;
      /**
       * When the event was recorded.
       * @format date-time
       */
      at: string;
      /** Why `evolve` cannot take it. */
      detail: string;
    };
  };
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface UpdateDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
  /** The whole document, at most 65536 UTF-8 bytes. The guide of the type shows its format. */
  source: string;
}

export interface UpdateDefinitionAnswer {
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired one can be read, not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input; absent: any JSON value. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** What else the document declares. */
  details: {
    /** Name of the output shape, where the document names one. */
    shape?: string;
    /** The definition is an MCP tool of its own. */
    expose?: true;
    /** Inputs to try the definition with. */
    examples?: {
      /** What the example is called. */
      name: string;
      /** What the example is run with. */
      input: Json;
      /** What it gives. */
      output?: Json;
      /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
      events?: JsonObject[];
      /** Workflows: what calls give, by step or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs of a workflow by itself; workflows with a schedule only. */
  triggers?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
    /** Event trigger: which events start a run. */
    filters?: {
      /** The filter's place in its document. */
      reference: string;
      /** The type of event that it keeps. */
      type?: string;
      /** The other attributes that events must have. */
      attributes: Record<string, Json>;
    }[];
    /** Cron trigger: five fields. */
    expression?: string;
    /** Every and after trigger: the period. */
    milliseconds?: number;
  }[];
  /** What was saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version. */
  triggers_since?: string;
  /** Recall functions: how the view stands; shown by get_definition. */
  standing?: {
    /** Whether runs are answered: not while the view of the current version is built, nor once it stalled. */
    state: "building" | "current" | "stalled";
    /**
     * The version whose view it is.
     * @min 1
     */
    version: number;
    /**
     * The place in the playbook's order of events up to which the view has read.
     * @min 0
     */
    checkpoint: number;
    /**
     * Events that the view keeps and has not read.
     * @min 0
     */
    behind: number;
    /**
     * When the state was stored.
     * @format date-time
     */
    at: string;
    /** The event at which the view stalled. */
    stalled_by?: {
      /** The event. */
      event_id: string;
      /** What kind of record it is, for example event_published. */
      type: string;
      /**
       * When the event was recorded.
       * @format date-time
       */
      at: string;
      /** Why `evolve` cannot take it. */
      detail: string;
    };
  };
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface RetireDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
}

export interface RetireDefinitionAnswer {
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired one can be read, not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input; absent: any JSON value. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** What else the document declares. */
  details: {
    /** Name of the output shape, where the document names one. */
    shape?: string;
    /** The definition is an MCP tool of its own. */
    expose?: true;
    /** Inputs to try the definition with. */
    examples?: {
      /** What the example is called. */
      name: string;
      /** What the example is run with. */
      input: Json;
      /** What it gives. */
      output?: Json;
      /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
      events?: JsonObject[];
      /** Workflows: what calls give, by step or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs of a workflow by itself; workflows with a schedule only. */
  triggers?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
    /** Event trigger: which events start a run. */
    filters?: {
      /** The filter's place in its document. */
      reference: string;
      /** The type of event that it keeps. */
      type?: string;
      /** The other attributes that events must have. */
      attributes: Record<string, Json>;
    }[];
    /** Cron trigger: five fields. */
    expression?: string;
    /** Every and after trigger: the period. */
    milliseconds?: number;
  }[];
  /** What was saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version. */
  triggers_since?: string;
  /** Recall functions: how the view stands; shown by get_definition. */
  standing?: {
    /** Whether runs are answered: not while the view of the current version is built, nor once it stalled. */
    state: "building" | "current" | "stalled";
    /**
     * The version whose view it is.
     * @min 1
     */
    version: number;
    /**
     * The place in the playbook's order of events up to which the view has read.
     * @min 0
     */
    checkpoint: number;
    /**
     * Events that the view keeps and has not read.
     * @min 0
     */
    behind: number;
    /**
     * When the state was stored.
     * @format date-time
     */
    at: string;
    /** The event at which the view stalled. */
    stalled_by?: {
      /** The event. */
      event_id: string;
      /** What kind of record it is, for example event_published. */
      type: string;
      /**
       * When the event was recorded.
       * @format date-time
       */
      at: string;
      /** Why `evolve` cannot take it. */
      detail: string;
    };
  };
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface CheckDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The whole document, at most 65536 UTF-8 bytes. The guide of the type shows its format. */
  source: string;
}

export interface CheckDefinitionAnswer {
  /** Whether saving would take the document. */
  valid: boolean;
  /** What saving would refuse. */
  issues: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /** What would be saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /** Markdown; present for a valid document. */
  overview?: string;
  /** Of a workflow: its steps as a graph. */
  graph?: {
    /** The steps. */
    nodes: {
      /** JSON Pointer of the step, or `start` and `end`. */
      id: string;
      /** Name of the step. */
      name: string;
      /** What the step is: `call`, `do`, `set`, ..., or `start` or `end`. */
      type: string;
      /** What it does, in a few words. */
      summary: string;
      /** The step that it stands in. */
      parent?: string;
      /** What it calls: TYPE/NAME or SERVER/TOOL. */
      calls?: string;
      /**
       * Its line in the source.
       * @min 1
       */
      line: number;
    }[];
    /** Where each step goes on. */
    edges: {
      /** The step that is left. */
      from: string;
      /** The step that is entered. */
      to: string;
      /** Why it leads there. */
      kind:
        | "next"
        | "then"
        | "case"
        | "skip"
        | "exit"
        | "catch"
        | "enter"
        | "branch"
        | "call";
      /** What to write beside it. */
      label?: string;
    }[];
  };
  /** Of a valid computation or recall function: TypeScript of the names that it can use without declaring them, from the schemas that it exports; for editors. */
  declarations?: string;
}

export interface ListDefinitionVersionsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
  /**
   * How many entries a page holds at most; over HTTP 50 when absent.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * Where the page begins: the last page's `next_cursor`, as it came.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListDefinitionVersionsAnswer {
  versions: {
    /**
     * The version, from 1.
     * @min 1
     */
    version: number;
    /**
     * When it was saved.
     * @format date-time
     */
    saved_at: string;
    /** The caller who saved it. */
    saved_by: string;
  }[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface GetDefinitionVersionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
  /**
   * The version, from 1.
   * @pattern ^[1-9][0-9]{0,8}$
   */
  version: string;
}

export interface GetDefinitionVersionAnswer {
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The name; unique within its type and playbook. */
  name: string;
  /**
   * The version, from 1.
   * @min 1
   */
  version: number;
  /** A retired one can be read, not edited or run. */
  status: "active" | "retired";
  /** Media type of the source. */
  media_type: string;
  /** The document's own description. */
  description?: string;
  /** JSON Schema of a run's input; absent: any JSON value. */
  input_schema?: Record<string, Json>;
  /** JSON Schema of a run's output. */
  output_schema?: Record<string, Json>;
  /** What else the document declares. */
  details: {
    /** Name of the output shape, where the document names one. */
    shape?: string;
    /** The definition is an MCP tool of its own. */
    expose?: true;
    /** Inputs to try the definition with. */
    examples?: {
      /** What the example is called. */
      name: string;
      /** What the example is run with. */
      input: Json;
      /** What it gives. */
      output?: Json;
      /** Workflows: events that reach the run. Recall functions: events that the view is kept over. */
      events?: JsonObject[];
      /** Workflows: what calls give, by step or by what is called. */
      calls?: JsonObject;
    }[];
  };
  /** What starts runs of a workflow by itself; workflows with a schedule only. */
  triggers?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
    /** Event trigger: which events start a run. */
    filters?: {
      /** The filter's place in its document. */
      reference: string;
      /** The type of event that it keeps. */
      type?: string;
      /** The other attributes that events must have. */
      attributes: Record<string, Json>;
    }[];
    /** Cron trigger: five fields. */
    expression?: string;
    /** Every and after trigger: the period. */
    milliseconds?: number;
  }[];
  /** What was saved and may not be meant. */
  warnings: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /**
     * Line of the source, from 1.
     * @min 1
     */
    line: number;
    /**
     * Column of the line, from 1.
     * @min 1
     */
    column: number;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * When its first version was saved.
   * @format date-time
   */
  created_at: string;
  /** The caller who saved the first version. */
  created_by: string;
  /**
   * When it was last changed.
   * @format date-time
   */
  updated_at: string;
  /** The caller who last changed it. */
  updated_by: string;
  /**
   * When it was retired; absent before.
   * @format date-time
   */
  retired_at?: string;
  /** The document. */
  source: string;
  /** Active workflows with triggers: the event that saved the current version. Every run that its triggers start from that event on is a run of this version. */
  triggers_since?: string;
  /** Recall functions: how the view stands; shown by get_definition. */
  standing?: {
    /** Whether runs are answered: not while the view of the current version is built, nor once it stalled. */
    state: "building" | "current" | "stalled";
    /**
     * The version whose view it is.
     * @min 1
     */
    version: number;
    /**
     * The place in the playbook's order of events up to which the view has read.
     * @min 0
     */
    checkpoint: number;
    /**
     * Events that the view keeps and has not read.
     * @min 0
     */
    behind: number;
    /**
     * When the state was stored.
     * @format date-time
     */
    at: string;
    /** The event at which the view stalled. */
    stalled_by?: {
      /** The event. */
      event_id: string;
      /** What kind of record it is, for example event_published. */
      type: string;
      /**
       * When the event was recorded.
       * @format date-time
       */
      at: string;
      /** Why `evolve` cannot take it. */
      detail: string;
    };
  };
  /** Markdown: what the definition needs, produces and does, and which definitions use it. */
  overview: string;
}

export interface RunDefinitionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** The definition's name. */
  name: string;
  /** What the definition works on, by its input schema; {} when absent. At most 256 KiB as JSON and 512 levels deep. */
  input?: Json;
  /**
   * A UUID of your own, so that sending the request again meets the same run.
   * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$
   */
  run_id?: string;
}

export interface RunDefinitionAnswer {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** Name of the definition that was carried out. */
  name: string;
  /**
   * The version used by the last attempt.
   * @min 1
   */
  definition_version: number;
  /** How the run stands or ended. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while it goes on.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The call that started the run. */
  called_by?: {
    /**
     * The calling run.
     * @format uuid
     */
    run_id: string;
    /** The call's place in its document. */
    reference: string;
    /** The calling definition, as TYPE/NAME. */
    run: string;
  };
  /** The trigger that started the run. */
  trigger?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
  };
  /** Why it was rejected. */
  reason?: string;
  /** Which case of the reason. */
  kind?: string;
  /** What lies behind it. */
  because?: string;
  /** Name of the shape of the output, where it takes one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is working. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  /** What the run gave; present on success. */
  output?: Json;
  /** Why it did not succeed, in words. */
  detail?: string;
  /** For `invalid_input`: everything that is wrong. */
  issues?: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * Seconds after which a run that found something unavailable may succeed.
   * @min 0
   */
  retry_after?: number;
}

export interface GetRunInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
}

export interface GetRunAnswer {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** Name of the definition that was carried out. */
  name: string;
  /**
   * The version used by the last attempt.
   * @min 1
   */
  definition_version: number;
  /** How the run stands or ended. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while it goes on.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The call that started the run. */
  called_by?: {
    /**
     * The calling run.
     * @format uuid
     */
    run_id: string;
    /** The call's place in its document. */
    reference: string;
    /** The calling definition, as TYPE/NAME. */
    run: string;
  };
  /** The trigger that started the run. */
  trigger?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
  };
  /** Why it was rejected. */
  reason?: string;
  /** Which case of the reason. */
  kind?: string;
  /** What lies behind it. */
  because?: string;
  /** Name of the shape of the output, where it takes one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is working. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  /** What the run gave; present on success. */
  output?: Json;
  /** Why it did not succeed, in words. */
  detail?: string;
  /** For `invalid_input`: everything that is wrong. */
  issues?: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * Seconds after which a run that found something unavailable may succeed.
   * @min 0
   */
  retry_after?: number;
  /** What the run did beside its output; empty while it goes on. */
  record: Record<string, Json>;
}

export interface FollowRunInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
}

export interface FollowRunEvent {
  /**
   * Where the piece begins, in UTF-16 code units: it replaces the text from there on. Beyond the end of the text so far, something was left out.
   * @min 0
   */
  from: number;
  /** The piece, in the words of the model; secrets in it are redacted. */
  text: string;
}

export interface ListRunsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The type of definition. */
  type?:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /**
   * Keeps runs of definitions of this name.
   * @maxLength 48
   */
  name?: string;
  /** Keeps runs that stand so. */
  status?: "started" | "succeeded" | "rejected" | "failed";
  /**
   * How many entries a page holds at most; over HTTP 50 when absent.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * Where the page begins: the last page's `next_cursor`, as it came.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListRunsAnswer {
  runs: {
    /**
     * The id of the run.
     * @format uuid
     */
    run_id: string;
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** Name of the definition that was carried out. */
    name: string;
    /**
     * The version used by the last attempt.
     * @min 1
     */
    definition_version: number;
    /** How the run stands or ended. */
    status: "started" | "succeeded" | "rejected" | "failed";
    /**
     * The last attempt, from 1.
     * @min 1
     */
    attempt: number;
    /**
     * When the run first started.
     * @format date-time
     */
    started_at: string;
    /**
     * When its last attempt started.
     * @format date-time
     */
    attempt_started_at: string;
    /**
     * When it ended; absent while it goes on.
     * @format date-time
     */
    ended_at?: string;
    /** The caller who started it. */
    started_by: string;
    /** The call that started the run. */
    called_by?: {
      /**
       * The calling run.
       * @format uuid
       */
      run_id: string;
      /** The call's place in its document. */
      reference: string;
      /** The calling definition, as TYPE/NAME. */
      run: string;
    };
    /** The trigger that started the run. */
    trigger?: {
      /** What it waits for. */
      kind: "event" | "cron" | "every" | "after";
      /** The trigger's place in its document. */
      reference: string;
    };
    /** Why it was rejected. */
    reason?: string;
    /** Which case of the reason. */
    kind?: string;
    /** What lies behind it. */
    because?: string;
    /** Name of the shape of the output, where it takes one. */
    output_shape?: string;
    /** What a started run is waiting for; absent while it is working. An addition to the contract. */
    waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  }[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface CancelRunInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /**
   * Why; becomes the detail of the run's ending. No control characters.
   * @minLength 1
   * @maxLength 1024
   * @pattern ^[^\u0000-\u001f\u007f-\u009f]*$
   */
  reason?: string;
}

export interface CancelRunAnswer {
  /**
   * The id of the run.
   * @format uuid
   */
  run_id: string;
  /** The type of definition. */
  type:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /** Name of the definition that was carried out. */
  name: string;
  /**
   * The version used by the last attempt.
   * @min 1
   */
  definition_version: number;
  /** How the run stands or ended. */
  status: "started" | "succeeded" | "rejected" | "failed";
  /**
   * The last attempt, from 1.
   * @min 1
   */
  attempt: number;
  /**
   * When the run first started.
   * @format date-time
   */
  started_at: string;
  /**
   * When its last attempt started.
   * @format date-time
   */
  attempt_started_at: string;
  /**
   * When it ended; absent while it goes on.
   * @format date-time
   */
  ended_at?: string;
  /** The caller who started it. */
  started_by: string;
  /** The call that started the run. */
  called_by?: {
    /**
     * The calling run.
     * @format uuid
     */
    run_id: string;
    /** The call's place in its document. */
    reference: string;
    /** The calling definition, as TYPE/NAME. */
    run: string;
  };
  /** The trigger that started the run. */
  trigger?: {
    /** What it waits for. */
    kind: "event" | "cron" | "every" | "after";
    /** The trigger's place in its document. */
    reference: string;
  };
  /** Why it was rejected. */
  reason?: string;
  /** Which case of the reason. */
  kind?: string;
  /** What lies behind it. */
  because?: string;
  /** Name of the shape of the output, where it takes one. */
  output_shape?: string;
  /** What a started run is waiting for; absent while it is working. An addition to the contract. */
  waits_for?: ("answer" | "upload" | "timer" | "event" | "run")[];
  /** What the run gave; present on success. */
  output?: Json;
  /** Why it did not succeed, in words. */
  detail?: string;
  /** For `invalid_input`: everything that is wrong. */
  issues?: {
    /** JSON Pointer (RFC 6901) of the place. */
    pointer: string;
    /** What is wrong there and what to write instead. */
    detail: string;
  }[];
  /**
   * Seconds after which a run that found something unavailable may succeed.
   * @min 0
   */
  retry_after?: number;
}

export interface SendRunEventInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /** The event: `type`, and optionally `id`, `source`, `subject` and `data`. */
  event: {
    /** What happened. */
    type: string;
    /** Unique among the events sent to the run; made when absent. */
    id?: string;
    /** Where it happened; /callers/ and the caller when absent. */
    source?: string;
    /** What it happened to. */
    subject?: string;
    /** What is to be known about it: any JSON value. */
    data?: Json;
  };
}

export interface SendRunEventAnswer {
  /**
   * The run.
   * @format uuid
   */
  run_id: string;
  /** The event as it was delivered. */
  event: JsonObject;
}

export interface ListInteractionsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * Keeps requests to this party.
   * @maxLength 256
   */
  to?: string;
  /** Keeps requests of functions of this type. */
  type?:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
  /**
   * Keeps requests of functions of this name.
   * @maxLength 48
   */
  function?: string;
  /**
   * How many entries a page holds at most; over HTTP 50 when absent.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * Where the page begins: the last page's `next_cursor`, as it came.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListInteractionsAnswer {
  interactions: {
    /**
     * The run that asked.
     * @format uuid
     */
    run_id: string;
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** Name of the function that asked. */
    function: string;
    /**
     * Its version.
     * @min 1
     */
    version: number;
    /** The party addressed. */
    to: string;
    /** The tool that delivers it, or null for the inbox. */
    delivery: {
      /** The tool server. */
      server: string;
      /** The tool's name on its server. */
      tool: string;
    } | null;
    /** The message. */
    message: string;
    /** True for a question, false for a notification. */
    takes_answer: boolean;
    /** Null for a notification. */
    answer_schema: Record<string, Json> | null;
    /**
     * When it was put.
     * @format date-time
     */
    requested_at: string;
    /**
     * When it ends unanswered.
     * @format date-time
     */
    expires_at: string;
    /**
     * Tries to deliver it so far.
     * @min 0
     */
    attempts: number;
    /** Where replies are read, or null. */
    conversation: string | null;
    /** The party whose reply counts, or null. */
    answerer: string | null;
    /**
     * Replies of the answerer that were refused.
     * @min 0
     */
    reply_refusals: number;
    /** How it stands. */
    standing:
      | "in_inbox"
      | "to_deliver"
      | "delivering"
      | "delivered"
      | "retrying"
      | "undelivered"
      | "cancelling";
  }[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface AnswerInteractionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run that asked. */
  run_id: string;
  /** The answer, by the request's answer_schema; at most 64 KiB as JSON. */
  answer: Json;
  /**
   * On whose behalf it is given, at most 256 bytes; recorded, never verified.
   * @minLength 1
   */
  claimed_for?: string;
}

export interface AnswerInteractionAnswer {
  /**
   * The run that asked.
   * @format uuid
   */
  run_id: string;
  /** Id of the fact. */
  answer_id: string;
  /** The answer. */
  answer: Json;
  /** On whose behalf, as the caller claims; never verified. */
  claimed_for?: string;
  /** The caller who answered; the playbook for a reply. */
  answered_by: string;
  /** Identity of the reply that was taken. */
  reply?: string;
  /**
   * When it was answered.
   * @format date-time
   */
  answered_at: string;
}

export interface PublishEventInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The event. Attributes beside those named here are extensions. */
  event: {
    /** Where it happened: a URI reference. */
    source: string;
    /** What happened. */
    type: string;
    /** Unique among the events of its source; made when absent. */
    id?: string;
    /** When it happened, RFC 3339; the time of recording when absent. */
    time?: string;
    /** What it happened to. */
    subject?: string;
    /** The version of CloudEvents: 1.0. */
    specversion?: string;
    /** Media type of `data`. */
    datacontenttype?: string;
    /** Absolute URI of a schema of `data`. */
    dataschema?: string;
    /** What is to be known about it: any JSON value. */
    data?: Json;
    [key: string]: Json;
  };
}

export interface PublishEventAnswer {
  /** The event's id; made where none was given. */
  id: string;
  /**
   * When it happened; the time of recording where none was given.
   * @format date-time
   */
  time: string;
  /**
   * When it was first recorded.
   * @format date-time
   */
  recorded_at: string;
}

export interface ListPlaybookEventsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * Keeps records of one type, such as run_failed; event_published for what was published.
   * @maxLength 64
   */
  type?: string;
  /**
   * Keeps what was recorded from this time on: ISO 8601 with offset, whose + is %2B.
   * @maxLength 64
   */
  since?: string;
  /**
   * Keeps what this run and every run below it recorded.
   * @maxLength 64
   */
  run_id?: string;
  /** Which come first: the oldest (asc), or the newest (desc), also when absent. */
  order?: "asc" | "desc";
  /**
   * How many entries a page holds at most; over HTTP 50 when absent.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * Where the page begins: the last page's `next_cursor`, as it came.
   * @maxLength 256
   */
  cursor?: string;
}

export interface ListPlaybookEventsAnswer {
  events: {
    /** The id, stable across reads. */
    id: string;
    /** What happened, for example `run_started`. */
    type: string;
    /** One plain sentence. */
    summary: string;
    /** The fact. Lists show large values as their size in bytes, under the name plus `_bytes`. */
    data: Record<string, Json>;
    /** What made the event, where it stands and what it is about. */
    metadata: {
      /** The thing whose events stand in one order, such as a run. */
      stream: string;
      /**
       * Place in its stream, from 1.
       * @min 1
       */
      position: number;
      /** Store-wide, with gaps; not the order of reading. */
      global_position: number;
      /** The run at the top of the chain. */
      correlation_id: string | null;
      /** The event that directly caused it. */
      causation_id: string | null;
      /**
       * When it was recorded.
       * @format date-time
       */
      at: string;
      /** A caller, `playbook:` and its id, or `runtime`. */
      by: string;
      /**
       * The run that it belongs to.
       * @format uuid
       */
      run_id?: string;
      /** The definition that it is about. */
      definition?: {
        /** The type of definition. */
        type:
          | "reasoning"
          | "interaction"
          | "prediction"
          | "recall"
          | "computation"
          | "workflow";
        /** Name of the definition. */
        name: string;
        /**
         * The version, where the event names one.
         * @min 1
         */
        version?: number;
      };
      /** The call that started the run. */
      called_by?: {
        /**
         * The calling run.
         * @format uuid
         */
        run_id: string;
        /** The call's place in its document. */
        reference: string;
        /** The calling definition, as TYPE/NAME. */
        run: string;
      };
      /**
       * Calls above the run.
       * @min 0
       */
      call_depth?: number;
      /**
       * Reactions above the run.
       * @min 0
       */
      depth?: number;
      /** The trigger that started the run. */
      trigger?: {
        /** What it waits for. */
        kind: "event" | "cron" | "every" | "after";
        /** The trigger's place in its document. */
        reference: string;
      };
      /**
       * The trace it was recorded in.
       * @pattern ^[0-9a-f]{32}$
       */
      trace_id?: string;
      /**
       * The span it was recorded in.
       * @pattern ^[0-9a-f]{16}$
       */
      span_id?: string;
    };
  }[];
  /** Whether a further page holds more. */
  has_more: boolean;
  /** What asks for the further page. */
  next_cursor: string | null;
}

export interface GetEventInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The event's id. */
  event_id: string;
}

export interface GetEventAnswer {
  /** The id, stable across reads. */
  id: string;
  /** What happened, for example `run_started`. */
  type: string;
  /** One plain sentence. */
  summary: string;
  /** The fact. Lists show large values as their size in bytes, under the name plus `_bytes`. */
  data: Record<string, Json>;
  /** What made the event, where it stands and what it is about. */
  metadata: {
    /** The thing whose events stand in one order, such as a run. */
    stream: string;
    /**
     * Place in its stream, from 1.
     * @min 1
     */
    position: number;
    /** Store-wide, with gaps; not the order of reading. */
    global_position: number;
    /** The run at the top of the chain. */
    correlation_id: string | null;
    /** The event that directly caused it. */
    causation_id: string | null;
    /**
     * When it was recorded.
     * @format date-time
     */
    at: string;
    /** A caller, `playbook:` and its id, or `runtime`. */
    by: string;
    /**
     * The run that it belongs to.
     * @format uuid
     */
    run_id?: string;
    /** The definition that it is about. */
    definition?: {
      /** The type of definition. */
      type:
        | "reasoning"
        | "interaction"
        | "prediction"
        | "recall"
        | "computation"
        | "workflow";
      /** Name of the definition. */
      name: string;
      /**
       * The version, where the event names one.
       * @min 1
       */
      version?: number;
    };
    /** The call that started the run. */
    called_by?: {
      /**
       * The calling run.
       * @format uuid
       */
      run_id: string;
      /** The call's place in its document. */
      reference: string;
      /** The calling definition, as TYPE/NAME. */
      run: string;
    };
    /**
     * Calls above the run.
     * @min 0
     */
    call_depth?: number;
    /**
     * Reactions above the run.
     * @min 0
     */
    depth?: number;
    /** The trigger that started the run. */
    trigger?: {
      /** What it waits for. */
      kind: "event" | "cron" | "every" | "after";
      /** The trigger's place in its document. */
      reference: string;
    };
    /**
     * The trace it was recorded in.
     * @pattern ^[0-9a-f]{32}$
     */
    trace_id?: string;
    /**
     * The span it was recorded in.
     * @pattern ^[0-9a-f]{16}$
     */
    span_id?: string;
  };
}

export interface GetRunHistoryInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The run's id. */
  run_id: string;
  /** asc (oldest first) when absent. */
  order?: "asc" | "desc";
  /**
   * How many entries a page holds at most; over HTTP 50 when absent.
   * @min 1
   * @max 100
   */
  limit?: number;
  /**
   * Where the page begins: the last page's `next_cursor`, as it came.
   * @maxLength 256
   */
  cursor?: string;
}

export interface GetRunHistoryAnswer {
  events: {
    /** The id, stable across reads. */
    id: string;
    /** What happened, for example `run_started`. */
    type: string;
    /** One plain sentence. */
    summary: string;
    /** The fact. Lists show large values as their size in bytes, under the name plus `_bytes`. */
    data: Record<string, Json>;
    /** What made the event, where it stands and what it is about. */
    metadata: {
      /** The thing whose events stand in one order, such as a run. */
      stream: string;
      /**
       * Place in its stream, from 1.
       * @min 1
       */
      position: number;
      /** Store-wide, with gaps; not the order of reading. */
      global_position: number;
      /** The run at the top of the chain. */
      correlation_id: string | null;
      /** The event that directly caused it. */
      causation_id: string | null;
      /**
       * When it was recorded.
       * @format date-time
       */
      at: string;
      /** A caller, `playbook:` and its id, or `runtime`. */
      by: string;
      /**
       * The run that it belongs to.
       * @format uuid
       */
      run_id?: string;
      /** The definition that it is about. */
      definition?: {
        /** The type of definition. */
        type:
          | "reasoning"
          | "interaction"
          | "prediction"
          | "recall"
          | "computation"
          | "workflow";
        /** Name of the definition. */
        name: string;
        /**
         * The version, where the event names one.
         * @min 1
         */
        version?: number;
      };
      /** The call that started the run. */
      called_by?: {
        /**
         * The calling run.
         * @format uuid
         */
        run_id: string;
        /** The call's place in its document. */
        reference: string;
        /** The calling definition, as TYPE/NAME. */
        run: string;
      };
      /**
       * Calls above the run.
       * @min 0
       */
      call_depth?: number;
      /**
       * Reactions above the run.
       * @min 0
       */
      depth?: number;
      /** The trigger that started the run. */
      trigger?: {
        /** What it waits for. */
        kind: "event" | "cron" | "every" | "after";
        /** The trigger's place in its document. */
        reference: string;
      };
      /**
       * The trace it was recorded in.
       * @pattern ^[0-9a-f]{32}$
       */
      trace_id?: string;
      /**
       * The span it was recorded in.
       * @pattern ^[0-9a-f]{16}$
       */
      span_id?: string;
    };
  }[];
  /** Whether a further page holds more. */
  has_more: boolean;
  /** What asks for the further page. */
  next_cursor: string | null;
}

export interface FollowEventsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * Id of the event to go on behind.
   * @maxLength 100
   */
  after?: string;
}

export interface FollowEventsEvent {
  /** The id, stable across reads. */
  id: string;
  /** What happened, for example `run_started`. */
  type: string;
  /** One plain sentence. */
  summary: string;
  /** The fact. Lists show large values as their size in bytes, under the name plus `_bytes`. */
  data: Record<string, Json>;
  /** What made the event, where it stands and what it is about. */
  metadata: {
    /** The thing whose events stand in one order, such as a run. */
    stream: string;
    /**
     * Place in its stream, from 1.
     * @min 1
     */
    position: number;
    /** Store-wide, with gaps; not the order of reading. */
    global_position: number;
    /** The run at the top of the chain. */
    correlation_id: string | null;
    /** The event that directly caused it. */
    causation_id: string | null;
    /**
     * When it was recorded.
     * @format date-time
     */
    at: string;
    /** A caller, `playbook:` and its id, or `runtime`. */
    by: string;
    /**
     * The run that it belongs to.
     * @format uuid
     */
    run_id?: string;
    /** The definition that it is about. */
    definition?: {
      /** The type of definition. */
      type:
        | "reasoning"
        | "interaction"
        | "prediction"
        | "recall"
        | "computation"
        | "workflow";
      /** Name of the definition. */
      name: string;
      /**
       * The version, where the event names one.
       * @min 1
       */
      version?: number;
    };
    /** The call that started the run. */
    called_by?: {
      /**
       * The calling run.
       * @format uuid
       */
      run_id: string;
      /** The call's place in its document. */
      reference: string;
      /** The calling definition, as TYPE/NAME. */
      run: string;
    };
    /**
     * Calls above the run.
     * @min 0
     */
    call_depth?: number;
    /**
     * Reactions above the run.
     * @min 0
     */
    depth?: number;
    /** The trigger that started the run. */
    trigger?: {
      /** What it waits for. */
      kind: "event" | "cron" | "every" | "after";
      /** The trigger's place in its document. */
      reference: string;
    };
    /**
     * The trace it was recorded in.
     * @pattern ^[0-9a-f]{32}$
     */
    trace_id?: string;
    /**
     * The span it was recorded in.
     * @pattern ^[0-9a-f]{16}$
     */
    span_id?: string;
  };
}

export interface ExportPlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
}

export interface ExportPlaybookAnswer {
  /** The playbook's id. */
  playbook: string;
  /** What people call the playbook. */
  name: string;
  /** What the playbook is for; empty where nobody said. */
  description: string;
  /** Every active definition. */
  definitions: {
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** The definition's name. */
    name: string;
    /**
     * SHA-256 of the source's UTF-8 bytes, in lower-case hex.
     * @pattern ^[0-9a-f]{64}$
     */
    sha256: string;
    /** The whole document. */
    source: string;
  }[];
}

export interface ApplyPlaybookInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * What people call the playbook.
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * What the playbook is for.
   * @maxLength 2000
   */
  description?: string;
  /**
   * Everything the folder holds.
   * @maxItems 1000
   */
  definitions: {
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /**
     * The definition's name.
     * @pattern ^[a-z][a-z0-9-]{2,47}$
     */
    name: string;
    /**
     * SHA-256 of the source's UTF-8 bytes, in lower-case hex.
     * @pattern ^[0-9a-f]{64}$
     */
    sha256: string;
    /** The whole document; for what is new or differs. */
    source?: string;
  }[];
  /** Whether to say only what would change. */
  dry_run?: boolean;
  /** Whether to retire, for ever, what the folder lacks. */
  prune?: boolean;
  /**
   * What a dry run answered as `plan`: that is carried out, and nothing that came since.
   * @pattern ^[0-9a-f]{64}$
   */
  plan?: string;
}

export interface ApplyPlaybookAnswer {
  /** What becomes of the playbook, its name and description. */
  playbook: "create" | "update" | "unchanged";
  /** Each definition of the folder and of the playbook, workflows last. */
  definitions: {
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** The definition's name. */
    name: string;
    /** `retired`: the name was retired and stays so. `missing`: the folder lacks it, and it stays. */
    change:
      | "create"
      | "update"
      | "unchanged"
      | "retire"
      | "retired"
      | "missing";
    /** The version before the change; absent for what is new. */
    version?: number;
    /** What the source says and may not mean; present where it was checked and there is any. */
    warnings?: {
      /** JSON Pointer (RFC 6901) of the place. */
      pointer: string;
      /**
       * Line of the source, from 1.
       * @min 1
       */
      line: number;
      /**
       * Column of the line, from 1.
       * @min 1
       */
      column: number;
      /** What is wrong there and what to write instead. */
      detail: string;
    }[];
  }[];
  /** Names these changes and the versions that they begin from. */
  plan: string;
}

export interface GetPlaybookAnalyticsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * UTC days, today included; 30 when absent.
   * @min 1
   * @max 90
   */
  days?: number;
  /** Keeps runs of one type. */
  type?:
    | "reasoning"
    | "interaction"
    | "prediction"
    | "recall"
    | "computation"
    | "workflow";
}

export interface GetPlaybookAnalyticsAnswer {
  /**
   * UTC days covered, today included.
   * @min 1
   */
  days: number;
  /** How many runs ended, and how. */
  runs: {
    /**
     * Runs that ended.
     * @min 0
     */
    total: number;
    /**
     * Runs that succeeded.
     * @min 0
     */
    succeeded: number;
    /**
     * Runs that failed.
     * @min 0
     */
    failed: number;
    /**
     * Runs that were rejected.
     * @min 0
     */
    rejected: number;
  };
  /** Model tokens of reasoning functions. */
  tokens: {
    /**
     * Model tokens read.
     * @min 0
     */
    input: number;
    /**
     * Model tokens written.
     * @min 0
     */
    output: number;
    /**
     * The part of input read from the provider's cache.
     * @min 0
     */
    cached: number;
  };
  /** How long runs took from their latest start to their end. */
  duration_ms: {
    /** Half of the runs that succeeded or failed took no longer, in milliseconds. */
    p50: number | null;
    /** Of a hundred runs that succeeded or failed, 95 took no longer, in milliseconds. */
    p95: number | null;
  };
  /** The same runs by outcome: the status, and for rejected runs the cause. An addition to the contract. */
  outcomes: {
    /**
     * Runs that succeeded.
     * @min 0
     */
    succeeded: number;
    /**
     * Runs whose input, or the input of one of whose steps, did not fit.
     * @min 0
     */
    invalid_input: number;
    /**
     * Runs that were cancelled.
     * @min 0
     */
    cancelled: number;
    /**
     * Runs whose question nobody answered in time.
     * @min 0
     */
    expired: number;
    /**
     * Runs whose question or notice could not be delivered.
     * @min 0
     */
    undelivered: number;
    /**
     * Runs whose program or document failed (`conflict`, kind `unworkable`).
     * @min 0
     */
    program_error: number;
    /**
     * Runs that were rejected for another reason.
     * @min 0
     */
    refused: number;
    /**
     * Runs that failed.
     * @min 0
     */
    failed: number;
  };
  /** One entry a day, oldest first, empty days included. */
  by_day: {
    /**
     * The UTC day.
     * @format date
     */
    day: string;
    /** How many runs ended, and how. */
    runs: {
      /**
       * Runs that ended.
       * @min 0
       */
      total: number;
      /**
       * Runs that succeeded.
       * @min 0
       */
      succeeded: number;
      /**
       * Runs that failed.
       * @min 0
       */
      failed: number;
      /**
       * Runs that were rejected.
       * @min 0
       */
      rejected: number;
    };
    /** Model tokens of reasoning functions. */
    tokens: {
      /**
       * Model tokens read.
       * @min 0
       */
      input: number;
      /**
       * Model tokens written.
       * @min 0
       */
      output: number;
      /**
       * The part of input read from the provider's cache.
       * @min 0
       */
      cached: number;
    };
    /** How long runs took from their latest start to their end. */
    duration_ms: {
      /** Half of the runs that succeeded or failed took no longer, in milliseconds. */
      p50: number | null;
      /** Of a hundred runs that succeeded or failed, 95 took no longer, in milliseconds. */
      p95: number | null;
    };
    /** The same runs by outcome: the status, and for rejected runs the cause. An addition to the contract. */
    outcomes: {
      /**
       * Runs that succeeded.
       * @min 0
       */
      succeeded: number;
      /**
       * Runs whose input, or the input of one of whose steps, did not fit.
       * @min 0
       */
      invalid_input: number;
      /**
       * Runs that were cancelled.
       * @min 0
       */
      cancelled: number;
      /**
       * Runs whose question nobody answered in time.
       * @min 0
       */
      expired: number;
      /**
       * Runs whose question or notice could not be delivered.
       * @min 0
       */
      undelivered: number;
      /**
       * Runs whose program or document failed (`conflict`, kind `unworkable`).
       * @min 0
       */
      program_error: number;
      /**
       * Runs that were rejected for another reason.
       * @min 0
       */
      refused: number;
      /**
       * Runs that failed.
       * @min 0
       */
      failed: number;
    };
  }[];
  /** Most runs first, then by type and name. */
  by_function: {
    /** The type of definition. */
    type:
      | "reasoning"
      | "interaction"
      | "prediction"
      | "recall"
      | "computation"
      | "workflow";
    /** Name of the definition. */
    name: string;
    /**
     * Runs that ended.
     * @min 0
     */
    runs: number;
  }[];
}

export interface AddConnectionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /**
   * What a function writes before the slash: names of 1 to 64 letters, digits, `_` and `-`.
   * @pattern ^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$
   */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
}

export interface AddConnectionAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
  /** What the person opens. */
  connect: {
    /** The page on which a person approves it or gives its credential; works once. */
    url: string;
    /**
     * Until when the page can be used.
     * @format date-time
     */
    expires_at: string;
  };
}

export interface ListConnectionsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** Whether removed ones are listed too. */
  include_removed?: boolean;
}

export interface ListConnectionsAnswer {
  connections: {
    /**
     * The id.
     * @format uuid
     */
    id: string;
    /** What a function writes before the slash. */
    name: string;
    /** How the server is spoken with. */
    kind: "mcp" | "openapi";
    /** The server without its credential. */
    entry: {
      /**
       * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
       * @minLength 1
       * @maxLength 2048
       */
      url?: string;
      /**
       * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
       * @minLength 1
       * @maxLength 2048
       */
      document?: string;
      /**
       * Of a kind `openapi`: where the API is, in place of what the document says.
       * @minLength 1
       * @maxLength 2048
       */
      base_url?: string;
      /** Headers that every request carries; never a credential. */
      headers?: Record<string, string>;
      /** Query parameters that every request carries; never a credential. */
      query_params?: Record<string, string>;
      /**
       * Names of the tools that may be used; `*` stands for any part. All of them when absent.
       * @maxItems 256
       */
      allowed?: string[];
      /**
       * Ids of the playbooks that may use it; `*` is all. All of them when absent.
       * @maxItems 256
       */
      playbooks?: string[];
      /** Whether the content of its calls is kept; true when absent. */
      record_content?: boolean;
      /**
       * The header, or the member of a result's `_meta`, in which the server tells its own request id.
       * @minLength 1
       * @maxLength 128
       */
      request_id?: string;
    };
    /** How the service shows who calls; the value itself is given on the connect page. */
    credential: {
      /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
      kind: "none" | "secret" | "reference" | "client_credentials";
      /**
       * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
       * @minLength 1
       * @maxLength 128
       */
      name?: string;
      /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
      in?: "header" | "query" | "security";
      /**
       * Of `reference`: a variable in `connections.variables`.
       * @minLength 1
       * @maxLength 128
       */
      variable?: string;
      /**
       * Of `client_credentials`: the issuer; https, or http on a loopback address.
       * @minLength 1
       * @maxLength 2048
       */
      issuer?: string;
      /**
       * Of `client_credentials`: the client, as its issuer knows it.
       * @minLength 1
       * @maxLength 512
       */
      client_id?: string;
      /**
       * Of `client_credentials`: what to ask for, separated by spaces.
       * @minLength 1
       * @maxLength 1024
       */
      scope?: string;
    };
    /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
    status: "pending" | "connected" | "broken" | "removed";
    /** The caller who added it. */
    added_by: string;
    /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
    asked_by?: string;
    /**
     * When it was added.
     * @format date-time
     */
    added_at: string;
    /** When it was approved or given its credential; null before. */
    connected_at: string | null;
    /** The caller who approved it or gave its credential; null before. */
    connected_by: string | null;
    /** The last four characters of a secret of at least twelve; else null. */
    credential_ends_with: string | null;
    /** Why it is broken; else null. */
    broken: string | null;
  }[];
}

export interface GetConnectionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
}

export interface GetConnectionAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface RemoveConnectionInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
}

export interface RemoveConnectionAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface RemoveConnectionByPostInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
}

export interface RemoveConnectionByPostAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface ReadLinkInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
}

export interface ReadLinkAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface ApproveInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
}

export interface ApproveAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface GiveCredentialInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The connection's id. */
  id: string;
  /**
   * The token of the link, from the connect page's address.
   * @maxLength 256
   */
  token: string;
  /**
   * Of a `secret`: the value, exactly as it is sent; at least 8 characters beside a scheme such as `Bearer`.
   * @minLength 1
   * @maxLength 16384
   */
  value?: string;
  /**
   * Of `client_credentials`: the secret of the client; at least 8 characters.
   * @minLength 1
   * @maxLength 16384
   */
  client_secret?: string;
  /**
   * Of `client_credentials`: the private key of the client, in PEM form without a password or as a JWK.
   * @minLength 1
   * @maxLength 16384
   */
  private_key?: string;
  /** With `private_key`: the algorithm that it signs with. */
  algorithm?: "RS256" | "PS256" | "ES256" | "ES384" | "ES512" | "EdDSA";
}

export interface GiveCredentialAnswer {
  /**
   * The id.
   * @format uuid
   */
  id: string;
  /** What a function writes before the slash. */
  name: string;
  /** How the server is spoken with. */
  kind: "mcp" | "openapi";
  /** The server without its credential. */
  entry: {
    /**
     * Of a kind `mcp`: the address of the MCP server; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    url?: string;
    /**
     * Of a kind `openapi`: the address of the OpenAPI document; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    document?: string;
    /**
     * Of a kind `openapi`: where the API is, in place of what the document says.
     * @minLength 1
     * @maxLength 2048
     */
    base_url?: string;
    /** Headers that every request carries; never a credential. */
    headers?: Record<string, string>;
    /** Query parameters that every request carries; never a credential. */
    query_params?: Record<string, string>;
    /**
     * Names of the tools that may be used; `*` stands for any part. All of them when absent.
     * @maxItems 256
     */
    allowed?: string[];
    /**
     * Ids of the playbooks that may use it; `*` is all. All of them when absent.
     * @maxItems 256
     */
    playbooks?: string[];
    /** Whether the content of its calls is kept; true when absent. */
    record_content?: boolean;
    /**
     * The header, or the member of a result's `_meta`, in which the server tells its own request id.
     * @minLength 1
     * @maxLength 128
     */
    request_id?: string;
  };
  /** How the service shows who calls; the value itself is given on the connect page. */
  credential: {
    /** `none`; `secret`: a person gives a value; `reference`: a variable of the operator; `client_credentials`: tokens of an OAuth 2.0 issuer. */
    kind: "none" | "secret" | "reference" | "client_credentials";
    /**
     * Of `secret` and `reference`: the header, query parameter or security scheme the value is sent under.
     * @minLength 1
     * @maxLength 128
     */
    name?: string;
    /** Of `secret` and `reference`: where the value is sent; `query` and `security` for `openapi` alone. */
    in?: "header" | "query" | "security";
    /**
     * Of `reference`: a variable in `connections.variables`.
     * @minLength 1
     * @maxLength 128
     */
    variable?: string;
    /**
     * Of `client_credentials`: the issuer; https, or http on a loopback address.
     * @minLength 1
     * @maxLength 2048
     */
    issuer?: string;
    /**
     * Of `client_credentials`: the client, as its issuer knows it.
     * @minLength 1
     * @maxLength 512
     */
    client_id?: string;
    /**
     * Of `client_credentials`: what to ask for, separated by spaces.
     * @minLength 1
     * @maxLength 1024
     */
    scope?: string;
  };
  /** `pending` until a person approves it or gives its credential; `broken` once its credential cannot be read. */
  status: "pending" | "connected" | "broken" | "removed";
  /** The caller who added it. */
  added_by: string;
  /** The MCP client that asked for it, as it names itself: `mcp:<name>`, never verified. Absent where none did. */
  asked_by?: string;
  /**
   * When it was added.
   * @format date-time
   */
  added_at: string;
  /** When it was approved or given its credential; null before. */
  connected_at: string | null;
  /** The caller who approved it or gave its credential; null before. */
  connected_by: string | null;
  /** The last four characters of a secret of at least twelve; else null. */
  credential_ends_with: string | null;
  /** Why it is broken; else null. */
  broken: string | null;
}

export interface SearchInOrgInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /**
   * Keeps the servers of one playbook.
   * @maxLength 100
   */
  playbook?: string;
  /**
   * Up to 8 words, separated by spaces, of what the tool does.
   * @maxLength 600
   */
  terms?: string;
  /**
   * Keeps one server, and asks no other.
   * @maxLength 64
   */
  server?: string;
  /** Keeps tools that only read, or the others. */
  only?: "read" | "write";
}

export interface SearchInOrgAnswer {
  /** The servers, by name. */
  servers: {
    /** What a function writes before the slash. */
    name: string;
    /** A connection's id. */
    connection?: string;
    /** How the server is spoken with. */
    type: "mcp" | "stdio" | "openapi";
    /** Whether the content of its calls is kept. */
    record_content: boolean;
    /**
     * How many tools it offers.
     * @min 0
     */
    tool_count?: number;
    /** Which tools of its list cannot be used, and why; absent where all can. */
    left_out?: string;
    /** Instead of `tool_count`: why it could not be asked. */
    unavailable?: string;
    /** Why the server could not be asked, as a word. */
    because?: string;
    /** Playbooks that may use it; `*` is all. Org-wide search only. */
    playbooks?: string[];
  }[];
  /** The tools found; none where more than 100 are there and no terms were given. */
  tools: {
    /** The server. */
    server: string;
    /** The tool's name there. */
    tool: string;
    /** The first sentence of its description, in the words of its server. */
    summary: string;
    /** Whether its server marks it as one that only reads. */
    read_only: boolean;
  }[];
  /** The servers that were searched. */
  scopes: string[];
}

export interface SearchInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /**
   * Up to 8 words, separated by spaces, of what the tool does.
   * @maxLength 600
   */
  terms?: string;
  /**
   * Keeps one server, and asks no other.
   * @maxLength 64
   */
  server?: string;
  /** Keeps tools that only read, or the others. */
  only?: "read" | "write";
}

export interface SearchAnswer {
  /** The servers, by name. */
  servers: {
    /** What a function writes before the slash. */
    name: string;
    /** A connection's id. */
    connection?: string;
    /** How the server is spoken with. */
    type: "mcp" | "stdio" | "openapi";
    /** Whether the content of its calls is kept. */
    record_content: boolean;
    /**
     * How many tools it offers.
     * @min 0
     */
    tool_count?: number;
    /** Which tools of its list cannot be used, and why; absent where all can. */
    left_out?: string;
    /** Instead of `tool_count`: why it could not be asked. */
    unavailable?: string;
    /** Why the server could not be asked, as a word. */
    because?: string;
    /** Playbooks that may use it; `*` is all. Org-wide search only. */
    playbooks?: string[];
  }[];
  /** The tools found; none where more than 100 are there and no terms were given. */
  tools: {
    /** The server. */
    server: string;
    /** The tool's name there. */
    tool: string;
    /** The first sentence of its description, in the words of its server. */
    summary: string;
    /** Whether its server marks it as one that only reads. */
    read_only: boolean;
  }[];
  /** The servers that were searched. */
  scopes: string[];
}

export interface IntrospectInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
}

export interface IntrospectAnswer {
  /** The server. */
  server: string;
  /** The tool's name there. */
  tool: string;
  /** In the words of its server, at most 4 KiB. */
  description: string;
  /** JSON Schema of the arguments, as its server gives it. */
  input_schema: Record<string, Json>;
  /** What its server says of it; absent where it says nothing. */
  annotations?: {
    /** It changes nothing. */
    readOnlyHint?: boolean;
    /** It may destroy something. */
    destructiveHint?: boolean;
    /** Calling it again changes nothing more. */
    idempotentHint?: boolean;
    /** It reaches beyond its server. */
    openWorldHint?: boolean;
  };
}

export interface ValidateInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** What the tool is called with: an object, at most 16 KiB as JSON. */
  arguments: JsonObject;
}

export interface ValidateAnswer {
  /** Whether the arguments fit; null where the schema cannot be checked. */
  valid: boolean | null;
  /** What does not fit, at most 20 and how many more; for null, why. */
  issues: {
    /** JSON Pointer into the arguments. */
    path: string;
    /** What is wrong there. */
    message: string;
  }[];
}

export interface DryRunInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** What the tool is called with: an object, at most 16 KiB as JSON. */
  arguments?: JsonObject;
}

export interface DryRunAnswer {
  /** Whether execute would call the tool now. */
  would_run: boolean;
  /** The permission that execute needs. */
  needs: "playbook:write";
  /** Whether the caller has it. */
  caller_may: boolean;
  /** A retired playbook calls nothing. */
  playbook_retired: boolean;
  /** Whether the operator allows the tool. */
  allowed: boolean;
  /** Whether its server marks it as one that only reads; null when its list was not read. */
  read_only: boolean | null;
  /** How the arguments fit; null when none were given. */
  arguments: {
    /** Whether the arguments fit; null where the schema cannot be checked. */
    valid: boolean | null;
    /** What does not fit, at most 20 and how many more; for null, why. */
    issues: {
      /** JSON Pointer into the arguments. */
      path: string;
      /** What is wrong there. */
      message: string;
    }[];
  } | null;
  /** Whether the server answers. */
  server: {
    /** Whether it could be asked. */
    reachable: "yes" | "no";
    /** Why the server could not be asked, as a word. */
    because?: string;
  };
}

export interface ExecuteInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The playbook's id. */
  playbook: string;
  /** The tool server's name. */
  server: string;
  /** The tool's name on its server. */
  tool: string;
  /** What the tool is called with: an object, at most 16 KiB as JSON. */
  arguments?: JsonObject;
}

export interface ExecuteAnswer {
  /**
   * The call, under which its events are recorded.
   * @format uuid
   */
  call_id: string;
  /** The server. */
  server: string;
  /** The tool. */
  tool: string;
  /** How it ended; after the last three the tool may have had an effect. */
  outcome:
    | "result"
    | "tool_error"
    | "server_failure"
    | "timed_out"
    | "too_large";
  /** What a model would see, in the words of the server; at most 64 KiB and a note. */
  text: string;
  /** The result as JSON, where it has at most 64 KiB. */
  answer?: Json;
  /** Size of the whole result; null when there is none. */
  result_bytes: number | null;
  /**
   * How long the call took.
   * @min 0
   */
  duration_ms: number;
  /** The server's own id of the request. */
  server_request_id?: string;
  /**
   * When it was called.
   * @format date-time
   */
  called_at: string;
}

export interface ListModelsInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /**
   * Prefix of a provider or gateway: its models alone are listed, and no other provider is asked.
   * @pattern ^[a-z][a-z0-9-]{0,31}$
   */
  provider?: string;
}

export interface ListModelsAnswer {
  /** The models that may be named, by their reference. */
  models: {
    /** The reference, as a definition names it; one that ends in * stands for all that begin so. */
    id: string;
    /** What stands before the slash. */
    provider: string;
    /** What stands behind it. */
    model: string;
    /** The provider's own name for people. */
    name?: string;
    /**
     * Tokens that a request may hold.
     * @min 1
     */
    context_window?: number;
    /**
     * Tokens that an answer may hold.
     * @min 1
     */
    max_output_tokens?: number;
    /** The operator's name for another reference. */
    alias?: true;
    /** The reference behind an alias. */
    resolved_to?: string;
  }[];
  /** Whether the operator allows some models alone. */
  narrowed: boolean;
  /** partial: a list could not be read; the models of an earlier one may be shown. */
  catalog_status: "complete" | "partial";
}

export interface ListModelProvidersInput {
  /** The org; `local` on a laptop. */
  org?: string;
}

export interface ListModelProvidersAnswer {
  /** Built-in ones, then gateways. */
  providers: {
    /** What stands before the slash of a reference. */
    provider: string;
    /** Built in, with a key alone; built in, of a cloud account; or a server that the operator set up. */
    kind: "hosted" | "cloud" | "gateway";
    /** Who gives what it is asked with: variables of the environment or of the file env, a key given in the studio, the settings of gateways; null: nobody, and it is not asked. */
    configured_by: "environment" | "studio" | "configuration" | null;
    /** The variables of which any one configures it; none for a gateway. */
    variables: string[];
    /** Of a hosted provider: the last four characters of the key in use, where it has at least twelve. */
    key_ends_with: string | null;
    /** Whether set_provider_key takes a key of it. */
    takes_key: boolean;
    /** Whether a key given in the studio is kept; a variable of the environment wins over it. */
    key_is_kept: boolean;
    /** Why its list of models could not be read when it was last asked: its answer, or that there was none. */
    list_failure?: string;
    /** Why the kept key cannot be opened now. */
    key_unusable?: string;
  }[];
}

export interface SetProviderKeyInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /** The provider: openai, anthropic, google, mistral, xai, groq, deepseek, cohere. */
  provider: string;
  /** The key exactly as the provider gave it, 8 to 4096 characters; null forgets the one that is kept. */
  key: string | null;
}

export interface SetProviderKeyAnswer {
  /** What stands before the slash of a reference. */
  provider: string;
  /** Built in, with a key alone; built in, of a cloud account; or a server that the operator set up. */
  kind: "hosted" | "cloud" | "gateway";
  /** Who gives what it is asked with: variables of the environment or of the file env, a key given in the studio, the settings of gateways; null: nobody, and it is not asked. */
  configured_by: "environment" | "studio" | "configuration" | null;
  /** The variables of which any one configures it; none for a gateway. */
  variables: string[];
  /** Of a hosted provider: the last four characters of the key in use, where it has at least twelve. */
  key_ends_with: string | null;
  /** Whether set_provider_key takes a key of it. */
  takes_key: boolean;
  /** Whether a key given in the studio is kept; a variable of the environment wins over it. */
  key_is_kept: boolean;
  /** Why its list of models could not be read when it was last asked: its answer, or that there was none. */
  list_failure?: string;
  /** Why the kept key cannot be opened now. */
  key_unusable?: string;
}

export interface GetAgentSetupInput {
  /** The org; `local` on a laptop. */
  org?: string;
  /**
   * The id of the one playbook that it connects to.
   * @pattern ^[a-z][a-z0-9-]{2,47}$
   */
  playbook?: string;
  /** Whether reading tools alone are offered. */
  read?: boolean;
}

export interface GetAgentSetupAnswer {
  /** What the server is called in each configuration. */
  name: string;
  /** The clients whose configuration is known. */
  clients: {
    /** As `cuebook connect` takes it. */
    client: string;
    /** What people call the client. */
    title: string;
    /** The file of its configuration; without a folder, in the folder that the client is opened in. */
    file: string;
    /** What stands in the file. */
    config: Record<string, Json>;
    /** An address that makes the client ask whether to add the server; some know one. */
    link?: string;
    /** What to do once the file is written. */
    then: string;
  }[];
  /** The name below `/assets/` of the `.mcpb` bundle, for clients that install one with a click; null where it was not built. */
  bundle: string | null;
}

/** What each operation takes and answers. */
export interface Operations {
  /** Create a playbook */
  create_playbook: { input: CreatePlaybookInput; answer: CreatePlaybookAnswer };
  /** List playbooks */
  list_playbooks: { input: ListPlaybooksInput; answer: ListPlaybooksAnswer };
  /** Get a playbook */
  get_playbook: { input: GetPlaybookInput; answer: GetPlaybookAnswer };
  /** Rename or describe a playbook */
  update_playbook: { input: UpdatePlaybookInput; answer: UpdatePlaybookAnswer };
  /** Retire a playbook */
  retire_playbook: { input: RetirePlaybookInput; answer: RetirePlaybookAnswer };
  /** Save a new definition */
  create_definition: {
    input: CreateDefinitionInput;
    answer: CreateDefinitionAnswer;
  };
  /** List definitions of a type */
  list_definitions: {
    input: ListDefinitionsInput;
    answer: ListDefinitionsAnswer;
  };
  /** Get a definition */
  get_definition: { input: GetDefinitionInput; answer: GetDefinitionAnswer };
  /** Save a new version of a definition */
  update_definition: {
    input: UpdateDefinitionInput;
    answer: UpdateDefinitionAnswer;
  };
  /** Retire a definition */
  retire_definition: {
    input: RetireDefinitionInput;
    answer: RetireDefinitionAnswer;
  };
  /** Check a document without saving it */
  check_definition: {
    input: CheckDefinitionInput;
    answer: CheckDefinitionAnswer;
  };
  /** List the versions of a definition */
  list_definition_versions: {
    input: ListDefinitionVersionsInput;
    answer: ListDefinitionVersionsAnswer;
  };
  /** Get one version of a definition */
  get_definition_version: {
    input: GetDefinitionVersionInput;
    answer: GetDefinitionVersionAnswer;
  };
  /** Run a definition */
  run_definition: { input: RunDefinitionInput; answer: RunDefinitionAnswer };
  /** Get a run */
  get_run: { input: GetRunInput; answer: GetRunAnswer };
  /** Follow what a model writes */
  follow_run: { input: FollowRunInput; event: FollowRunEvent };
  /** List runs */
  list_runs: { input: ListRunsInput; answer: ListRunsAnswer };
  /** Cancel a run that waits */
  cancel_run: { input: CancelRunInput; answer: CancelRunAnswer };
  /** Send an event to a run */
  send_run_event: { input: SendRunEventInput; answer: SendRunEventAnswer };
  /** List open requests */
  list_interactions: {
    input: ListInteractionsInput;
    answer: ListInteractionsAnswer;
  };
  /** Answer a request */
  answer_interaction: {
    input: AnswerInteractionInput;
    answer: AnswerInteractionAnswer;
  };
  /** Publish an event */
  publish_event: { input: PublishEventInput; answer: PublishEventAnswer };
  /** List what a playbook recorded */
  list_playbook_events: {
    input: ListPlaybookEventsInput;
    answer: ListPlaybookEventsAnswer;
  };
  /** Get one event whole */
  get_event: { input: GetEventInput; answer: GetEventAnswer };
  /** Read a run's history */
  get_run_history: { input: GetRunHistoryInput; answer: GetRunHistoryAnswer };
  /** Follow what a playbook records */
  follow_events: { input: FollowEventsInput; event: FollowEventsEvent };
  /** Read a playbook out whole */
  export_playbook: { input: ExportPlaybookInput; answer: ExportPlaybookAnswer };
  /** Bring a playbook to what a folder holds */
  apply_playbook: { input: ApplyPlaybookInput; answer: ApplyPlaybookAnswer };
  /** Summarize ended runs */
  get_playbook_analytics: {
    input: GetPlaybookAnalyticsInput;
    answer: GetPlaybookAnalyticsAnswer;
  };
  /** Add a connection */
  add_connection: { input: AddConnectionInput; answer: AddConnectionAnswer };
  /** List connections */
  list_connections: {
    input: ListConnectionsInput;
    answer: ListConnectionsAnswer;
  };
  /** Get a connection */
  get_connection: { input: GetConnectionInput; answer: GetConnectionAnswer };
  /** Remove a connection */
  remove_connection: {
    input: RemoveConnectionInput;
    answer: RemoveConnectionAnswer;
  };
  /** Remove a connection from a page */
  remove_connection_by_post: {
    input: RemoveConnectionByPostInput;
    answer: RemoveConnectionByPostAnswer;
  };
  /** Read a connect link */
  read_link: { input: ReadLinkInput; answer: ReadLinkAnswer };
  /** Approve a connection */
  approve: { input: ApproveInput; answer: ApproveAnswer };
  /** Give a connection its credential */
  give_credential: { input: GiveCredentialInput; answer: GiveCredentialAnswer };
  /** Search an org's tools */
  search_in_org: { input: SearchInOrgInput; answer: SearchInOrgAnswer };
  /** Search tools */
  search: { input: SearchInput; answer: SearchAnswer };
  /** Describe a tool */
  introspect: { input: IntrospectInput; answer: IntrospectAnswer };
  /** Check arguments of a tool */
  validate: { input: ValidateInput; answer: ValidateAnswer };
  /** Ask whether a tool would be called */
  dry_run: { input: DryRunInput; answer: DryRunAnswer };
  /** Call a tool */
  execute: { input: ExecuteInput; answer: ExecuteAnswer };
  /** List models */
  list_models: { input: ListModelsInput; answer: ListModelsAnswer };
  /** List model providers */
  list_model_providers: {
    input: ListModelProvidersInput;
    answer: ListModelProvidersAnswer;
  };
  /** Set a model provider's key */
  set_provider_key: {
    input: SetProviderKeyInput;
    answer: SetProviderKeyAnswer;
  };
  /** Get the configuration of agents' clients */
  get_agent_setup: { input: GetAgentSetupInput; answer: GetAgentSetupAnswer };
}

export const ROUTES = {
  create_playbook: { method: "POST", path: "/v1/orgs/{org}/playbooks" },
  list_playbooks: { method: "GET", path: "/v1/orgs/{org}/playbooks" },
  get_playbook: { method: "GET", path: "/v1/orgs/{org}/playbooks/{playbook}" },
  update_playbook: {
    method: "PUT",
    path: "/v1/orgs/{org}/playbooks/{playbook}",
  },
  retire_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/retire",
  },
  create_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}",
  },
  list_definitions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}",
  },
  get_definition: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}",
  },
  update_definition: {
    method: "PUT",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}",
  },
  retire_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/retire",
  },
  check_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/check",
  },
  list_definition_versions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/versions",
  },
  get_definition_version: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/versions/{version}",
  },
  run_definition: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/definitions/{type}/{name}/run",
  },
  get_run: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}",
  },
  follow_run: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/follow",
  },
  list_runs: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs",
  },
  cancel_run: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/cancel",
  },
  send_run_event: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/events",
  },
  list_interactions: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/interactions",
  },
  answer_interaction: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/answer",
  },
  publish_event: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events",
  },
  list_playbook_events: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events",
  },
  get_event: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events/{event_id}",
  },
  get_run_history: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/runs/{run_id}/history",
  },
  follow_events: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/events/follow",
  },
  export_playbook: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/export",
  },
  apply_playbook: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/apply",
  },
  get_playbook_analytics: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/analytics",
  },
  add_connection: { method: "POST", path: "/v1/orgs/{org}/connections" },
  list_connections: { method: "GET", path: "/v1/orgs/{org}/connections" },
  get_connection: { method: "GET", path: "/v1/orgs/{org}/connections/{id}" },
  remove_connection: {
    method: "DELETE",
    path: "/v1/orgs/{org}/connections/{id}",
  },
  remove_connection_by_post: {
    method: "POST",
    path: "/v1/orgs/{org}/connections/{id}/remove",
  },
  read_link: {
    method: "GET",
    path: "/v1/orgs/{org}/connections/{id}/link/{token}",
  },
  approve: { method: "POST", path: "/v1/orgs/{org}/connections/{id}/approve" },
  give_credential: {
    method: "POST",
    path: "/v1/orgs/{org}/connections/{id}/credential",
  },
  search_in_org: { method: "GET", path: "/v1/orgs/{org}/tool-servers/search" },
  search: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/search",
  },
  introspect: {
    method: "GET",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}",
  },
  validate: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/validate",
  },
  dry_run: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/dry-run",
  },
  execute: {
    method: "POST",
    path: "/v1/orgs/{org}/playbooks/{playbook}/tool-servers/{server}/tools/{tool}/execute",
  },
  list_models: { method: "GET", path: "/v1/orgs/{org}/models" },
  list_model_providers: {
    method: "GET",
    path: "/v1/orgs/{org}/model-providers",
  },
  set_provider_key: {
    method: "PUT",
    path: "/v1/orgs/{org}/model-providers/key",
  },
  get_agent_setup: { method: "GET", path: "/v1/orgs/{org}/agent-setup" },
} as const;
