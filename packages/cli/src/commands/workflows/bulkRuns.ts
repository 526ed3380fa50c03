import { LiveRunState, RerunnableWorkflowRunState } from "@parley/domain/automation"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { filterFlag, one } from "../../console/listing.ts"
import { confirm } from "../../console/prompts.ts"
import { preview, runFilters } from "../../console/runFilters.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { workflow } from "./workflow.ts"

export const cancelRunsCommand = Command.make(
  "cancel-runs",
  {
    org: Flags.org,
    workflow,
    filter: filterFlag({ state: one(LiveRunState), ...runFilters }, "runs"),
    preview,
    yes: Flags.yes
  },
  Effect.fn(function* ({ workflow, filter, org, preview, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows, name }) {
        if (!preview) yield* confirm(`Cancel the matching runs of the workflow ${workflow} of ${name}?`, yes)
        const answer = yield* workflows.cancelRuns({ params: { id: workflow }, payload: { filter, preview } })
        yield* Console.log("count" in answer ? String(answer.count) : answer.id)
      })
    )
  })
).pipe(
  Command.withDescription("Cancel the runs that match a filter in a job, and print the id of the job"),
  Command.withExamples([
    { command: "parley workflows cancel-runs --org acme 0197... --filter state=waiting --preview" }
  ])
)

export const rerunRunsCommand = Command.make(
  "rerun-runs",
  {
    org: Flags.org,
    workflow,
    filter: filterFlag({ state: one(RerunnableWorkflowRunState), ...runFilters }, "runs"),
    preview,
    yes: Flags.yes
  },
  Effect.fn(function* ({ workflow, filter, org, preview, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows, name }) {
        if (!preview) yield* confirm(`Re-run the matching runs of the workflow ${workflow} of ${name}?`, yes)
        const answer = yield* workflows.rerunRuns({ params: { id: workflow }, payload: { filter, preview } })
        yield* Console.log("count" in answer ? String(answer.count) : answer.id)
      })
    )
  })
).pipe(
  Command.withDescription("Re-run the ended runs that match a filter in a job, and print the id of the job"),
  Command.withExamples([{ command: "parley workflows rerun-runs --org acme 0197... --filter state=failed --preview" }])
)
