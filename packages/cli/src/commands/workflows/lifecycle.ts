import { ArchivedRuns, MissingNode, NodeId, type Workflow, type WorkflowId } from "@parley/domain"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import type { Failure } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedFlag } from "../../console/typed.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { view, workflow } from "./workflow.ts"

const moving = <const Name extends string>(
  name: Name,
  move: (tenant: Tenant, id: WorkflowId) => Effect.Effect<Workflow, Failure>
) =>
  Command.make(
    name,
    { org: Flags.org, workflow, json: Flags.json, quiet: Flags.quiet },
    Effect.fn(function* ({ json, org, quiet, workflow }) {
      yield* inTenant(org, (tenant) =>
        Effect.flatMap(move(tenant, workflow), (moved) => printOne(view, { json, quiet }, moved))
      )
    })
  )

export const publishCommand = moving("publish", ({ workflows }, id) =>
  workflows.publish({ params: { id }, headers: {} })
).pipe(Command.withDescription("Publish the draft of a workflow: new runs are of it"))

export const pauseCommand = moving("pause", ({ workflows }, id) =>
  workflows.pause({ params: { id }, headers: {} })
).pipe(Command.withDescription("Pause a workflow: none begins, and live runs are held"))

export const resumeCommand = moving("resume", ({ workflows }, id) =>
  workflows.resume({ params: { id }, headers: {} })
).pipe(Command.withDescription("Let a paused workflow go on"))

const runs = Flag.Literals("runs", ArchivedRuns.literals).pipe(
  Flag.withDescription("What becomes of its live runs: finish (as it is) or exit"),
  Flag.optional
)

export const archiveCommand = Command.make(
  "archive",
  { org: Flags.org, workflow, runs, yes: Flags.yes },
  Effect.fn(function* ({ org, runs, workflow, yes }) {
    const payload = Option.isSome(runs) ? { runs: runs.value } : {}
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, workflows }) {
        yield* confirm(`Archive the workflow ${workflow} of ${name} for good?`, yes)
        yield* workflows.archive({ params: { id: workflow }, headers: {}, payload })
        yield* Console.error(`The workflow ${workflow} is archived.`)
      })
    )
  })
).pipe(
  Command.withDescription("Archive a workflow for good: nobody begins it any more"),
  Command.withExamples([{ command: "parley workflows archive --org acme 0197... --runs exit" }])
)

const from = Flag.Int("from").pipe(Flag.withDescription("The number of the version that they are of"))

const map = typedFlag("map", Schema.fromJsonString(Schema.Record(Schema.String, NodeId))).pipe(
  Flag.withMetavar("json"),
  Flag.withDescription("To which nodes they go, as a JSON object; from any other node they go to that of the same id"),
  Flag.optional
)

const missing = Flag.Literals("missing", MissingNode.literals).pipe(
  Flag.withDescription("What becomes of those whose node is gone: stay (as it is) or exit"),
  Flag.optional
)

export const moveCommand = Command.make(
  "move",
  { org: Flags.org, workflow, from, map, missing, yes: Flags.yes },
  Effect.fn(function* ({ from, map, missing, org, workflow, yes }) {
    const payload = {
      fromVersion: from,
      ...(Option.isSome(map) && { map: map.value }),
      ...(Option.isSome(missing) && { missing: missing.value })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, workflows }) {
        yield* confirm(`Move the live runs of version ${from} of the workflow ${workflow} of ${name}?`, yes)
        const job = yield* workflows.moveRuns({ params: { id: workflow }, payload })
        yield* Console.log(job.id)
      })
    )
  })
).pipe(
  Command.withDescription("Move the live runs of a version to the published one; prints the job that does it"),
  Command.withExamples([{ command: "parley workflows move --org acme 0197... --from 1 --missing exit" }])
)
