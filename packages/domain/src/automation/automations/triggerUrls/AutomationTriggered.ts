import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { AutomationId } from "../AutomationId.ts"
import { TriggerCallId } from "./TriggerCalls.ts"

/** A call of the trigger URL of an automation. */
export const AutomationTriggered = Schema.Struct({
  type: Schema.Literal("automation.triggered"),
  automationId: AutomationId,
  contactId: ContactId,
  callId: TriggerCallId
})
