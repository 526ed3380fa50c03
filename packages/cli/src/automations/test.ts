import { AutomationTest, AutomationTestResult } from "@parley/domain"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printCard, type View } from "../console/print.ts"
import { type Column, table } from "../console/Table.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { automation, draft, writtenIn } from "./automation.ts"

const position = typedFlag(
  "position",
  Schema.FiniteFromString.pipe(Schema.decodeTo(AutomationTest.fields.position))
).pipe(Flag.withDescription("The position of the event, as `parley events tail` shows it"))

const view: Pick<View<AutomationTestResult>, "columns" | "schema"> = {
  schema: AutomationTestResult,
  columns: [
    { heading: "WOULD RUN", of: ({ wouldRun }) => (wouldRun ? "yes" : "no") },
    { heading: "CUT", of: ({ cut }) => cut ?? "" },
    { heading: "CONDITIONS", of: ({ conditions }) => (conditions === null ? "" : JSON.stringify(conditions)) }
  ]
}

const actionColumns: ReadonlyArray<Column<AutomationTestResult["actions"][number]>> = [
  { heading: "ACTION", of: ({ type }) => type },
  { heading: "REFUSAL", of: ({ refusal }) => refusal?.code ?? "" },
  { heading: "RENDERED", of: ({ rendered }) => (rendered === null ? "" : JSON.stringify(rendered)) }
]

/** Tries an automation on what has happened. */
export const testCommand = Command.make(
  "test",
  { org: Flags.org, automation, position, draft, json: Flags.json },
  Effect.fn(function* ({ automation, draft, json, org, position }) {
    const payload = { position, ...(Option.isSome(draft) && { draft: yield* writtenIn(draft) }) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ automations }) {
        const result = yield* automations.test({ params: { id: automation }, payload })
        yield* printCard(view, json, result)
        if (!json && result.actions.length > 0) yield* Console.log(`\n${table(result.actions, actionColumns)}`)
      })
    )
  })
).pipe(
  Command.withDescription("Tell what an automation would do about an event that has happened. Nothing of it is done"),
  Command.withExamples([{ command: "parley automations test --org acme 0197... --position 47 --draft refund.json" }])
)
