import { ContactId } from "@parley/domain/crm"
import {
  AutomationRun,
  AutomationRunId,
  AutomationRunState,
  AutomationTestResult,
  FeedPosition
} from "@parley/domain/automation"
import { Timestamp } from "@parley/domain/kernel"
import { WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, filteredView, listFlags, one, Position, queryOf } from "../../console/listing.ts"
import { type Column, printCard, printList, printOne, table, type View } from "../../console/print.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { automation, draft, writtenIn } from "./automation.ts"

const listView: View<AutomationRun> = {
  schema: AutomationRun,
  none: "This automation has no runs in the last 30 days.",
  noMatch: "No run matches the filter.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "REASON", of: ({ reason }) => reason ?? "" },
    { heading: "EVENT", of: ({ event }) => `${event.type} ${event.position}` },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" },
    { heading: "CREATED", of: ({ createdAt }) => DateTime.formatIso(createdAt) }
  ]
}

const view: View<AutomationRun> = {
  ...listView,
  columns: [
    ...listView.columns,
    { heading: "FINISHED", of: ({ finishedAt }) => (finishedAt === null ? "" : DateTime.formatIso(finishedAt)) },
    {
      heading: "CAUSED BY",
      of: ({ causation }) =>
        causation === null ? "" : causation.via.map(({ id, kind }) => `${kind} ${id}`).join(" > ")
    },
    { heading: "CONDITIONS", of: ({ conditions }) => (conditions === null ? "" : JSON.stringify(conditions)) }
  ]
}

const actionColumns: ReadonlyArray<Column<AutomationRun["actions"][number]>> = [
  { heading: "ACTION", of: ({ type }) => type },
  { heading: "STATE", of: ({ state }) => state },
  { heading: "TRIES", of: ({ attempts }) => String(attempts), align: "right" },
  { heading: "EFFECT", of: ({ effect }) => (effect === null ? "" : `${effect.kind} ${effect.id}`) },
  { heading: "ERROR", of: ({ error }) => error?.code ?? "" },
  { heading: "UNTIL", of: ({ until }) => (until === null ? "" : DateTime.formatIso(until)) }
]

const listRunsCommand = Command.make(
  "list",
  {
    org: Flags.org,
    automation,
    ...listFlags({ state: one(AutomationRunState), contactId: one(ContactId), position: one(Position) })
  },
  Effect.fn(function* ({ automation, filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          automations.listRuns({ params: { id: automation }, query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(filteredView(listView, filter), { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the runs of an automation, latest first"),
  Command.withExamples([{ command: "parley automations runs list --org acme 0197... --filter state=failed" }])
)

const printRun = Effect.fnUntraced(function* (run: AutomationRun, json: boolean) {
  yield* printOne(view, { json }, run)
  if (!json && run.actions.length > 0) yield* Console.log(`\n${table(run.actions, actionColumns)}`)
})

const run = typedArgument("run", AutomationRunId).pipe(Argument.withDescription("Id of the run"))

const showRunCommand = Command.make(
  "show",
  { org: Flags.org, automation, run, json: Flags.json },
  Effect.fn(function* ({ automation, json, org, run }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        yield* printRun(yield* automations.getRun({ params: { id: automation, runId: run } }), json)
      })
    )
  })
).pipe(Command.withDescription("Show one run of an automation, with its conditions and actions"))

export const cancelRunCommand = Command.make(
  "cancel-run",
  { org: Flags.org, automation, run, json: Flags.json },
  Effect.fn(function* ({ automation, json, org, run }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.cancelRun({ params: { id: automation, runId: run } }), (ended) =>
        printRun(ended, json)
      )
    )
  })
).pipe(Command.withDescription("Cancel a run before its next action. Completed actions stay"))

export const runsCommand = Command.make("runs").pipe(
  Command.withDescription("Runs of an automation: list, show"),
  Command.withSubcommands([listRunsCommand, showRunCommand])
)

const position = typedFlag("position", Schema.FiniteFromString.pipe(Schema.decodeTo(FeedPosition))).pipe(
  Flag.withDescription("Position of the event in `parley events tail`"),
  Flag.optional
)

const contact = typedFlag("contact", ContactId).pipe(
  Flag.withDescription("Contact of a schedule or date trigger: test its next occurrence, instead of --position"),
  Flag.optional
)

const from = typedFlag("from", Timestamp).pipe(
  Flag.withDescription("With --contact: first occurrence at this time or later (default: now)"),
  Flag.optional
)

const testView: Pick<View<AutomationTestResult>, "columns" | "schema"> = {
  schema: AutomationTestResult,
  columns: [
    { heading: "WOULD RUN", of: ({ wouldRun }) => (wouldRun ? "yes" : "no") },
    { heading: "DUE", of: ({ dueAt }) => (dueAt === null ? "" : DateTime.formatIso(dueAt)) },
    { heading: "ABORTED", of: ({ abortReason }) => abortReason ?? "" },
    {
      heading: "DELETED",
      of: ({ deletedResources }) =>
        deletedResources.map((resource) => `The ${resource} of the event no longer exists.`).join(" ")
    },
    { heading: "CONDITIONS", of: ({ conditions }) => (conditions === null ? "" : JSON.stringify(conditions)) }
  ]
}

const testActionColumns: ReadonlyArray<Column<AutomationTestResult["actions"][number]>> = [
  { heading: "ACTION", of: ({ type }) => type },
  { heading: "REFUSAL", of: ({ refusal }) => refusal?.code ?? "" },
  { heading: "RENDERED", of: ({ rendered }) => (rendered === null ? "" : JSON.stringify(rendered)) }
]

export const testCommand = Command.make(
  "test",
  { org: Flags.org, automation, position, contact, from, draft, json: Flags.json },
  Effect.fn(function* ({ automation, contact, draft, from, json, org, position }) {
    if (Option.isSome(position) === Option.isSome(contact)) {
      return yield* new WrongUsage({ message: "Specify what the test is for: --position or --contact." })
    }
    const due = Option.map(contact, (contactId) => ({ contactId, ...(Option.isSome(from) && { from: from.value }) }))
    const payload = {
      ...(Option.isSome(position) && { position: position.value }),
      ...(Option.isSome(due) && { due: due.value }),
      ...(Option.isSome(draft) && { draft: yield* writtenIn(draft) })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        const result = yield* automations.test({ params: { id: automation }, payload })
        yield* printCard(testView, json, result)
        if (!json && result.actions.length > 0) yield* Console.log(`\n${table(result.actions, testActionColumns)}`)
      })
    )
  })
).pipe(
  Command.withDescription("Preview an automation for a past event or its next occurrence, without effects"),
  Command.withExamples([
    { command: "parley automations test --org acme 0197... --position 47 --draft refund.json" },
    { command: "parley automations test --org acme 0197... --contact 0198... --from 2026-12-24T00:00:00Z" }
  ])
)
