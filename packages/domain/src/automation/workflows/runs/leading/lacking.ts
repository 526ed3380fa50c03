import { DateTime, Effect } from "effect"
import type { Action, ActionError } from "../../../automations/index.ts"
import { MessageTemplates } from "../../../../messaging/chat/index.ts"
import type { ActionNode } from "../../graph/Node.ts"
import { held, type Moved, stepIn } from "../moving/moves.ts"
import type { KeptWorkflowRun } from "../WorkflowRuns.ts"

/** For so long a run waits for a template that is paused, or for an account that is disconnected. */
const longest = { hours: 72 }

/** How often it is looked whether it is there again, beside being told of it. */
const lookAgain = { hours: 1 }

const templateIn = (action: Action) => {
  if (action.type === "send_template") return action.template.id
  return action.type === "send_message" ? (action.whenClosed?.id ?? null) : null
}

/** What an action lacks that may come back; `null` where its failure is its own. */
const lackingIn = Effect.fnUntraced(function* (action: Action, { code }: ActionError) {
  const lacking = (what: "template" | "account" | null) => what
  if (code === "chat_account_disconnected") return lacking("account")
  const id = code === "template_not_approved" ? templateIn(action) : null
  if (id === null) return lacking(null)
  const [template] = yield* (yield* MessageTemplates).find([id])
  return lacking(template?.status === "paused" ? "template" : null)
})

/** The run held while its action lacks something that may come back; `null` where its failure is its own, or it has waited for long enough. */
export const heldForLacking = Effect.fnUntraced(function* (
  kept: KeptWorkflowRun,
  { action }: ActionNode,
  error: ActionError,
  now: DateTime.Utc
) {
  const nothing: Moved | null = null
  const lacking = yield* lackingIn(action, error)
  if (lacking === null) return nothing
  const since = kept.progress.heldSince ?? now
  const end = DateTime.add(since, longest)
  if (DateTime.isLessThanOrEqualTo(end, now)) return nothing
  const again = DateTime.min(end, DateTime.add(now, lookAgain))
  const moved: Moved = {
    kept: held(kept, lacking, since, again),
    steps: stepIn(kept, { state: "waiting", error }, now)
  }
  return moved
})
