import { Effect, Option, Schema } from "effect"
import { Messages } from "../../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { WorkflowStarter } from "../actions/externalActions.ts"
import type { SourceEvent } from "../triggers/Trigger.ts"
import { AutomationRunId, causedBy } from "./AutomationRun.ts"
import { AutomationRuns } from "./AutomationRuns.ts"

const isAutomationRunId = Schema.is(AutomationRunId)

/**
 * Causation of the runs that an event starts. Receipts of providers have no causation in the log. A receipt for an automatic message continues the chain
 * of the run that wrote the message, so a message does not start its own automation again.
 */
export const startCausation = Effect.fnUntraced(function* ({ causation, event }: LoggedEvent<SourceEvent>) {
  if (causation !== null || event.type !== "message.status_changed") return causation
  const message = yield* Effect.option((yield* Messages).get(event.conversationId, event.messageId))
  const runId = Option.isSome(message) ? message.value.author.runId : undefined
  if (runId === undefined || !isAutomationRunId(runId)) return null
  const found = yield* (yield* AutomationRuns).find(runId)
  if (found === null) return yield* (yield* WorkflowStarter).causationOf(runId)
  const { automationId: id, causation: before, event: started } = found.run
  return causedBy(before, { kind: "automation", id }, started.position)
})
