/** What an error response is about, where its status does not say it. */
export type FailureCause =
  | 'address_wrong'
  | 'model_unknown'
  | 'no_credits'
  | 'too_long'
  | 'refused'
  | 'json_refused'
  | 'tools_refused'
  /** The model wrote a tool call that is not valid. */
  | 'call_invalid'
  /** The model wrote JSON that is not valid. */
  | 'json_invalid'
  | 'key_rejected'
  | 'region_refused'
  /** The account may not use the model. */
  | 'model_withheld'
  | 'model_not_loaded'
  /** The model is none for chat, or not over this API. */
  | 'model_unsuited';
