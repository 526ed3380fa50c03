import { LiveAutomationRunState, RerunnableAutomationRunState } from "@parley/domain/automation"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { filterFlag, one } from "../../console/listing.ts"
import { confirm } from "../../console/prompts.ts"
import { preview, runFilters } from "../../console/runFilters.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { automation } from "./automation.ts"

export const cancelRunsCommand = Command.make(
  "cancel-runs",
  {
    org: Flags.org,
    automation,
    filter: filterFlag({ state: one(LiveAutomationRunState), ...runFilters }, "runs"),
    preview,
    yes: Flags.yes
  },
  Effect.fn(function* ({ automation, filter, org, preview, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations, name }) {
        if (!preview) yield* confirm(`Cancel the matching runs of the automation ${automation} of ${name}?`, yes)
        const answer = yield* automations.cancelRuns({ params: { id: automation }, payload: { filter, preview } })
        yield* Console.log("count" in answer ? String(answer.count) : answer.id)
      })
    )
  })
).pipe(
  Command.withDescription("Cancel the runs that match a filter in a job, and print the id of the job"),
  Command.withExamples([
    { command: "parley automations cancel-runs --org acme 0197... --filter state=queued --preview" }
  ])
)

export const rerunRunsCommand = Command.make(
  "rerun-runs",
  {
    org: Flags.org,
    automation,
    filter: filterFlag({ state: one(RerunnableAutomationRunState), ...runFilters }, "runs"),
    preview,
    yes: Flags.yes
  },
  Effect.fn(function* ({ automation, filter, org, preview, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations, name }) {
        if (!preview) yield* confirm(`Re-run the matching runs of the automation ${automation} of ${name}?`, yes)
        const answer = yield* automations.rerunRuns({ params: { id: automation }, payload: { filter, preview } })
        yield* Console.log("count" in answer ? String(answer.count) : answer.id)
      })
    )
  })
).pipe(
  Command.withDescription("Re-run the ended runs that match a filter in a job, and print the id of the job"),
  Command.withExamples([
    { command: "parley automations rerun-runs --org acme 0197... --filter state=failed --preview" }
  ])
)
