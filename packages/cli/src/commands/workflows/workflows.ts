import { TriggerEvent, WorkflowSort, WorkflowStatus } from "@parley/domain/automation"
import { Console, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, one, pageFlags, queryOf } from "../../console/listing.ts"
import { printOne, printRows } from "../../console/print.ts"
import { inTenant, sortedListOf } from "../../tenant/inTenant.ts"
import { cancelRunsCommand, rerunRunsCommand } from "./bulkRuns.ts"
import { createCommand, deleteCommand, updateCommand, validateCommand } from "./editing.ts"
import { archiveCommand, migrateRunsCommand, pauseCommand, publishCommand, resumeCommand } from "./lifecycle.ts"
import { cancelCommand, continueRunCommand, enrollCommand, runsCommand, startCommand, watchCommand } from "./runs.ts"
import { testCommand } from "./testing.ts"
import { versionView, view, workflow } from "./workflow.ts"

const listOptions = {
  filters: { q: one(Schema.NonEmptyString), status: one(WorkflowStatus), event: one(TriggerEvent) },
  sorts: WorkflowSort.literals
}

const listCommand = sortedListOf(view, listOptions, ({ workflows }, query) => workflows.list({ query })).pipe(
  Command.withDescription("List the workflows, newest first by default"),
  Command.withExamples([{ command: "parley workflows list --filter status=active --sort name" }])
)

const versionsCommand = Command.make(
  "versions",
  { org: Flags.org, workflow, ...pageFlags },
  Effect.fn(function* ({ json, limit, org, quiet, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          workflows.listVersions({ params: { id: workflow }, query: queryOf(page) })
        )
        yield* printRows(versionView, { json, quiet }, rows, isCut, ({ number }) => String(number))
      })
    )
  })
).pipe(Command.withDescription("List the published versions of a workflow, newest first"))

const diagram = Flag.Boolean("diagram").pipe(
  Flag.withDescription("Print the graph as a Mermaid flowchart"),
  Flag.withDefault(false)
)

const showCommand = Command.make(
  "show",
  { org: Flags.org, workflow, diagram, json: Flags.json },
  Effect.fn(function* ({ diagram, json, org, workflow }) {
    const params = { id: workflow }
    yield* inTenant(org, ({ workflows }) =>
      diagram
        ? Effect.flatMap(workflows.draw({ params, query: {} }), (drawn) => Console.log(drawn.trimEnd()))
        : Effect.flatMap(workflows.get({ params }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(
  Command.withDescription("Show a workflow or its diagram"),
  Command.withExamples([{ command: "parley workflows show --org acme 0197... --diagram" }])
)

export const workflows = Command.make("workflows").pipe(
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    updateCommand,
    validateCommand,
    testCommand,
    publishCommand,
    versionsCommand,
    pauseCommand,
    resumeCommand,
    archiveCommand,
    runsCommand,
    watchCommand,
    startCommand,
    enrollCommand,
    migrateRunsCommand,
    cancelCommand,
    cancelRunsCommand,
    rerunRunsCommand,
    continueRunCommand,
    deleteCommand
  ])
)
