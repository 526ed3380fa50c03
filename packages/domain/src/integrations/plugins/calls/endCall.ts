import { DateTime, Effect } from "effect"
import { gapAfter, longestWait, type Verdict } from "./answers.ts"
import type { KeptPluginCall } from "./PluginCall.ts"
import { PluginCallers } from "./PluginCallers.ts"
import { PluginCalls } from "./PluginCalls.ts"

const unreachable = {
  code: "plugin_unreachable",
  pluginCode: null,
  message: "It did not answer, or asked for patience, as often as it was asked."
} as const

/** How a call stands after an answer at this time. */
const after = (call: KeptPluginCall, verdict: Verdict, now: DateTime.Utc): KeptPluginCall => {
  switch (verdict.kind) {
    case "done":
      return { ...call, state: "done", output: verdict.output, dueAt: null }
    case "failed":
      return { ...call, state: "failed", error: verdict.error, dueAt: null }
    case "later":
      return { ...call, state: "waiting", dueAt: DateTime.addDuration(now, longestWait) }
    case "again": {
      const gap = gapAfter(call.caller, call.tries)
      return gap === null
        ? { ...call, state: "failed", error: unreachable, dueAt: null }
        : { ...call, dueAt: DateTime.addDuration(now, gap) }
    }
  }
}

/** Keeps what an answer means for a call that is locked, and has whoever asked go on once it has ended. */
export const settleCall = Effect.fnUntraced(function* (call: KeptPluginCall, verdict: Verdict) {
  const settled = after(call, verdict, yield* DateTime.now)
  yield* (yield* PluginCalls).save(settled)
  if (settled.state === "done" || settled.state === "failed") yield* (yield* PluginCallers).ended(settled)
  return settled
})
