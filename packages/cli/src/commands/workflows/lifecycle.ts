import { ArchivedRuns, MissingNode, NodeId, type Workflow, type WorkflowId } from "@parley/domain/automation"
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
).pipe(Command.withDescription("Publish the draft of a workflow. New runs use it"))

export const pauseCommand = moving("pause", ({ workflows }, id) =>
  workflows.pause({ params: { id }, headers: {} })
).pipe(Command.withDescription("Pause a workflow: no run starts, and live runs wait"))

export const resumeCommand = moving("resume", ({ workflows }, id) =>
  workflows.resume({ params: { id }, headers: {} })
).pipe(Command.withDescription("Resume a paused workflow"))

const runs = Flag.Literals("runs", ArchivedRuns.literals).pipe(
  Flag.withDescription("Live runs: finish (default) or exit"),
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
        yield* confirm(`Archive the workflow ${workflow} of ${name} permanently?`, yes)
        yield* workflows.archive({ params: { id: workflow }, headers: {}, payload })
        yield* Console.error(`The workflow ${workflow} is archived.`)
      })
    )
  })
).pipe(
  Command.withDescription("Archive a workflow permanently: no run starts"),
  Command.withExamples([{ command: "parley workflows archive --org acme 0197... --runs exit" }])
)

const from = Flag.Int("from").pipe(Flag.withDescription("Current version of the runs"))

const map = typedFlag("map", Schema.fromJsonString(Schema.Record(Schema.String, NodeId))).pipe(
  Flag.withMetavar("json"),
  Flag.withDescription("Target node of each node, as a JSON object. Default: the node with the same id"),
  Flag.optional
)

const missing = Flag.Literals("missing", MissingNode.literals).pipe(
  Flag.withDescription("Runs whose node is deleted: stay (default) or exit"),
  Flag.optional
)

export const migrateRunsCommand = Command.make(
  "migrate-runs",
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
        yield* confirm(`Migrate the live runs of version ${from} of the workflow ${workflow} of ${name}?`, yes)
        const job = yield* workflows.migrateRuns({ params: { id: workflow }, payload })
        yield* Console.log(job.id)
      })
    )
  })
).pipe(
  Command.withDescription("Move the live runs of a version to the published one in a job, and print the id of the job"),
  Command.withExamples([{ command: "parley workflows migrate-runs --org acme 0197... --from 1 --missing exit" }])
)
