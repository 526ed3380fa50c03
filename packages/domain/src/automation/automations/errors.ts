import { Schema } from "effect"

/** The signature of a call of a trigger URL is missing, wrong or too old. */
export class TriggerSignatureInvalid extends Schema.TaggedError<TriggerSignatureInvalid>()(
  "TriggerSignatureInvalid",
  {}
) {
  override get message() {
    return "The signature does not match the signing secret of this trigger URL, or the call is older than five minutes."
  }
}

/** Runs of a disabled automation cannot be re-run. */
export class AutomationNotEnabled extends Schema.TaggedError<AutomationNotEnabled>()("AutomationNotEnabled", {}) {
  override get message() {
    return "The automation is disabled. Enable it, then re-run its runs."
  }
}

/** An ended run of an automation or a workflow cannot change. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", {}) {
  override get message() {
    return "The run has already ended."
  }
}
