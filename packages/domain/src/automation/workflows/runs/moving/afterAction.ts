import { type DateTime, type Schema } from "effect"
import type { ActionError, ActionResult } from "../../../automations/index.ts"
import type { ActionNode } from "../../graph/Node.ts"
import type { KeptWorkflowRun } from "../WorkflowRuns.ts"
import { enter, failed, type Moved, rest, stepIn } from "./moves.ts"

/** The run whose action has failed: it goes on, elsewhere, or not at all. */
const afterFailure = (
  kept: KeptWorkflowRun,
  { next, onError = "end" }: ActionNode,
  error: ActionError,
  now: DateTime.Utc
): Moved => {
  const steps = stepIn(kept, { state: "failed", error }, now)
  if (onError === "end") return { kept: failed(kept, "action_failed", now), steps }
  return { kept: enter(kept, onError === "continue" ? next : onError.to, now), steps }
}

/** The run after its action; `output` is what a plugin has answered. */
export const afterAction = (
  kept: KeptWorkflowRun,
  node: ActionNode,
  result: ActionResult,
  now: DateTime.Utc,
  output: Schema.Json = null
): Moved => {
  switch (result.kind) {
    case "done": {
      const steps = stepIn(kept, { state: "done", effect: result.effect, output }, now)
      return { kept: enter(kept, node.next, now), steps }
    }
    case "refused":
      return afterFailure(kept, node, result.error, now)
    case "wait": {
      const reason = result.reason === "quiet_hours" ? result.reason : null
      return { kept: rest(kept, result.until, reason), steps: stepIn(kept, { state: "waiting" }, now) }
    }
    case "calling": {
      const effect = { kind: "plugin_call" as const, id: result.callId }
      return { kept: rest(kept, null), steps: stepIn(kept, { state: "calling", effect }, now) }
    }
  }
}
