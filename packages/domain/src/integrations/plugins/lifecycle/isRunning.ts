import { Effect } from "effect"
import { Organizations } from "../../../platform/identity/index.ts"
import { FeatureGate } from "../../../kernel/index.ts"

/** Whether anything of plugins runs in the organization. */
export const isRunning = Effect.gen(function* () {
  const organization = yield* (yield* Organizations).current()
  if (organization.status !== "active") return false
  return yield* Effect.match((yield* FeatureGate).require("plugins"), {
    onFailure: () => false,
    onSuccess: () => true
  })
})
