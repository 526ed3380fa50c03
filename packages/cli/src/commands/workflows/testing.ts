import { WorkflowTest, WorkflowTestResult } from "@parley/domain/automation"
import { Console, DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { type Column, printCard, table, type View } from "../../console/print.ts"
import { jsonFlag, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { contact, input } from "./runs.ts"
import { workflow } from "./workflow.ts"

const { answers: WaitAnswers, position: FeedPosition, version: VersionNumber } = WorkflowTest.fields

const version = typedFlag(
  "version",
  Schema.FiniteFromString.pipe(Schema.decodeTo(Schema.requiredKey(VersionNumber)))
).pipe(Flag.withDescription("Number of a published version, instead of the draft"), Flag.optional)

const position = typedFlag(
  "position",
  Schema.FiniteFromString.pipe(Schema.decodeTo(Schema.requiredKey(FeedPosition)))
).pipe(Flag.withDescription("Position of a start event in `parley events tail`"), Flag.optional)

const answers = jsonFlag("answers", Schema.requiredKey(WaitAnswers)).pipe(
  Flag.withDescription('Answers by wait, as a JSON object: "event", "timeout" or {"position": 47}. Default: "timeout"'),
  Flag.optional
)

const at = (time: DateTime.Utc | null) => (time === null ? "" : DateTime.formatIso(time))

const resultView: Pick<View<WorkflowTestResult>, "columns" | "schema"> = {
  schema: WorkflowTestResult,
  columns: [
    { heading: "WOULD START", of: ({ wouldStart }) => (wouldStart ? "yes" : "no") },
    { heading: "CONDITIONS", of: ({ conditions }) => (conditions === null ? "" : JSON.stringify(conditions)) },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "REASON", of: ({ reason }) => reason ?? "" },
    { heading: "GOALS", of: ({ goals }) => goals.join(" ") },
    { heading: "STARTED", of: ({ startedAt }) => at(startedAt) },
    { heading: "ENDED", of: ({ endedAt }) => at(endedAt) },
    { heading: "FAULTS", of: ({ faults }) => faults.map(({ message, pointer }) => `${pointer}: ${message}`).join("\n") }
  ]
}

const stepColumns: ReadonlyArray<Column<WorkflowTestResult["steps"][number]>> = [
  { heading: "NODE", of: ({ node }) => node },
  { heading: "KIND", of: ({ kind }) => kind },
  { heading: "STATE", of: ({ state }) => state },
  { heading: "AT", of: ({ enteredAt }) => at(enteredAt) },
  { heading: "UNTIL", of: ({ leftAt }) => at(leftAt) },
  { heading: "EFFECT", of: ({ effect }) => effect ?? "" },
  { heading: "REFUSAL", of: ({ refusal }) => refusal?.code ?? "" },
  { heading: "OUTPUT", of: ({ output }) => (output === null ? "" : JSON.stringify(output)) },
  { heading: "RENDERED", of: ({ rendered }) => (rendered === null ? "" : JSON.stringify(rendered)) }
]

const set = <Name extends string, A>(name: Name, value: Option.Option<A>) =>
  Option.match(value, { onNone: () => ({}), onSome: (found) => ({ [name]: found }) as { readonly [K in Name]: A } })

export const testCommand = Command.make(
  "test",
  { org: Flags.org, workflow, contact, version, position, input, answers, json: Flags.json },
  Effect.fn(function* ({ answers, contact, input, json, org, position, version, workflow }) {
    const payload = {
      contactId: contact,
      ...set("version", version),
      ...set("position", position),
      ...set("input", input),
      ...set("answers", answers)
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const result = yield* workflows.test({ params: { id: workflow }, payload })
        yield* printCard(resultView, json, result)
        if (!json && result.steps.length > 0) yield* Console.log(`\n${table(result.steps, stepColumns)}`)
      })
    )
  })
).pipe(
  Command.withDescription("Preview a run of a workflow for a contact, without effects"),
  Command.withExamples([
    { command: 'parley workflows test --org acme 0197... --contact 0198... --answers \'{"ask":"event"}\'' }
  ])
)
