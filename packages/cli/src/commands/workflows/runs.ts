import { ContactId, FilterInput } from "@parley/domain/crm"
import {
  ExplainedWorkflowRun,
  isWorkflowRunOver,
  WorkflowRun,
  WorkflowRunId,
  WorkflowRunState,
  type WorkflowStep
} from "@parley/domain/automation"
import { Console, DateTime, Duration, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, filteredView, listFlags, one, Position, queryOf } from "../../console/listing.ts"
import { type Column, printList, printOne, table, type View } from "../../console/print.ts"
import { showing } from "../../console/progress.ts"
import { confirm } from "../../console/prompts.ts"
import { jsonFlag, typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { workflow } from "./workflow.ts"

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const columns: ReadonlyArray<Column<WorkflowRun>> = [
  { heading: "ID", of: ({ id }) => id },
  { heading: "STATE", of: ({ state }) => state },
  { heading: "REASON", of: ({ reason }) => reason ?? "" },
  { heading: "NODE", of: ({ node }) => node ?? "" },
  { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" },
  { heading: "STARTED", of: ({ startedAt }) => at(startedAt) }
]

const listView: View<WorkflowRun> = {
  schema: WorkflowRun,
  none: "This workflow has no runs.",
  noMatch: "No run matches the filter.",
  columns
}

const view: View<ExplainedWorkflowRun> = {
  schema: ExplainedWorkflowRun,
  none: "The run does not exist.",
  columns: [
    ...columns,
    { heading: "VERSION", of: ({ workflowVersion }) => String(workflowVersion) },
    { heading: "WAKES", of: ({ wakeAt }) => at(wakeAt) },
    { heading: "GOALS", of: ({ goals }) => goals.join(" ") },
    { heading: "CONDITIONS", of: ({ conditions }) => (conditions === null ? "" : JSON.stringify(conditions)) },
    { heading: "EVENT", of: ({ event }) => (event === null ? "" : `${event.type} ${event.position}`) },
    { heading: "ENDED", of: ({ endedAt }) => at(endedAt) }
  ]
}

const stepColumns: ReadonlyArray<Column<WorkflowStep>> = [
  { heading: "NODE", of: ({ node }) => node },
  { heading: "VISIT", of: ({ visit }) => String(visit), align: "right" },
  { heading: "STATE", of: ({ state }) => state },
  { heading: "EFFECT", of: ({ effect }) => (effect === null ? "" : `${effect.kind} ${effect.id}`) },
  { heading: "ERROR", of: ({ error }) => error?.code ?? "" },
  { heading: "AT", of: (step) => at(step.at) }
]

const printRun = Effect.fnUntraced(function* (run: ExplainedWorkflowRun, json: boolean) {
  yield* printOne(view, { json }, run)
  if (!json && run.steps.length > 0) yield* Console.log(`\n${table(run.steps, stepColumns)}`)
})

const listRunsCommand = Command.make(
  "list",
  {
    org: Flags.org,
    workflow,
    ...listFlags({ state: one(WorkflowRunState), contactId: one(ContactId), position: one(Position) })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          workflows.listRuns({ params: { id: workflow }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(filteredView(listView, filter), { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the runs of a workflow, latest first"),
  Command.withExamples([{ command: "parley workflows runs list --org acme 0197... --filter state=waiting" }])
)

const run = typedArgument("run", WorkflowRunId).pipe(Argument.withDescription("Id of the run"))

const showRunCommand = Command.make(
  "show",
  { org: Flags.org, workflow, run, json: Flags.json },
  Effect.fn(function* ({ json, org, run, workflow }) {
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.getRun({ params: { id: workflow, runId: run } }), (found) => printRun(found, json))
    )
  })
).pipe(Command.withDescription("Show a run of a workflow, with its position, actions and reasons"))

export const runsCommand = Command.make("runs").pipe(
  Command.withDescription("Runs of a workflow: list, show"),
  Command.withSubcommands([listRunsCommand, showRunCommand])
)

const lookEvery = Duration.seconds(1)

const runLine = ({ node, reason, state, wakeAt }: WorkflowRun) =>
  [
    state,
    ...(reason === null ? [] : [`(${reason})`]),
    ...(node === null ? [] : [`in ${node}`]),
    ...(wakeAt === null ? [] : [`until ${at(wakeAt)}`])
  ].join(" ")

export const watchCommand = Command.make(
  "watch",
  { org: Flags.org, workflow, run, json: Flags.json },
  Effect.fn(function* ({ json, org, run, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const read = Effect.map(workflows.getRun({ params: { id: workflow, runId: run } }), (found) => ({
          found,
          isOver: isWorkflowRunOver(found)
        }))
        const ended = yield* showing(read, ({ found }) => runLine(new WorkflowRun(found)), lookEvery)
        yield* printRun(ended.found, json)
      })
    )
  })
).pipe(Command.withDescription("Show the progress of a run until it ends"))

export const cancelCommand = Command.make(
  "cancel",
  { org: Flags.org, workflow, run, json: Flags.json },
  Effect.fn(function* ({ json, org, run, workflow }) {
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.cancelRun({ params: { id: workflow, runId: run } }), (ended) => printRun(ended, json))
    )
  })
).pipe(Command.withDescription("Cancel a run. Completed actions stay"))

const exit = Flag.Literals("as", ["event", "timeout"]).pipe(
  Flag.withDescription("Exit of a wait for an event. Default: timeout"),
  Flag.optional
)

export const continueRunCommand = Command.make(
  "continue-run",
  { org: Flags.org, workflow, run, exit, json: Flags.json },
  Effect.fn(function* ({ exit, json, org, run, workflow }) {
    const payload = Option.isSome(exit) ? { as: exit.value } : {}
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.continueRun({ params: { id: workflow, runId: run }, payload }), (continued) =>
        printRun(continued, json)
      )
    )
  })
).pipe(
  Command.withDescription("End the wait of a run now"),
  Command.withExamples([{ command: "parley workflows continue-run --org acme 0197... 0198... --as event" }])
)

const RunInput = Schema.Record(Schema.String, Schema.Json)

export const contact = typedFlag("contact", ContactId).pipe(Flag.withDescription("Id of the contact"))

export const input = jsonFlag("input", RunInput).pipe(
  Flag.withDescription("Values of the variable input in texts, as a JSON object"),
  Flag.optional
)

export const startCommand = Command.make(
  "start",
  { org: Flags.org, workflow, contact, input, json: Flags.json },
  Effect.fn(function* ({ contact, input, json, org, workflow }) {
    const payload = {
      contactId: contact,
      ...(Option.isSome(input) && { input: input.value })
    }
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.startRun({ params: { id: workflow }, payload }), (begun) => printRun(begun, json))
    )
  })
).pipe(
  Command.withDescription("Start a run of a workflow for a contact"),
  Command.withExamples([{ command: "parley workflows start --org acme 0197... --contact 0198..." }])
)

const audience = jsonFlag("audience", FilterInput).pipe(
  Flag.withDescription("Audience as a contact filter; {} for all contacts")
)

export const enrollCommand = Command.make(
  "enroll",
  { org: Flags.org, workflow, audience, yes: Flags.yes },
  Effect.fn(function* ({ audience, org, workflow, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, workflows }) {
        yield* confirm(`Start runs of the workflow ${workflow} for this audience of ${name}?`, yes)
        const job = yield* workflows.enroll({ params: { id: workflow }, payload: { audience } })
        yield* Console.log(job.id)
      })
    )
  })
).pipe(
  Command.withDescription(
    "Start runs of a workflow for all contacts of an audience in a job, and print the id of the job"
  ),
  Command.withExamples([{ command: "parley workflows enroll --org acme 0197... --audience '{}'" }])
)
