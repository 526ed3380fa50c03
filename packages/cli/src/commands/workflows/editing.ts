import { NewWorkflow } from "@parley/domain/automation"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { printJson, printOne } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { graph, graphIn, name, view, workflow } from "./workflow.ts"

const called = typedFlag("name", NewWorkflow.fields.name).pipe(Flag.withDescription("Name"))

export const createCommand = Command.make(
  "create",
  { org: Flags.org, name: called, graph, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ graph, json, name, org, quiet }) {
    const payload = { name, ...(yield* graphIn(graph)) }
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.create({ payload }), (draft) => printOne(view, { json, quiet }, draft))
    )
  })
).pipe(
  Command.withDescription("Create a draft of a workflow"),
  Command.withExamples([{ command: "parley workflows create --org acme --name Cart --graph cart.json" }])
)

export const updateCommand = Command.make(
  "update",
  { org: Flags.org, workflow, name, graph, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ graph, json, name, org, quiet, workflow }) {
    const payload = { ...(Option.isSome(name) && { name: name.value }), ...(yield* graphIn(graph)) }
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({ message: "Specify a change, for example --name Cart or --graph cart.json." })
    }
    yield* inTenant(org, ({ workflows }) =>
      Effect.flatMap(workflows.update({ params: { id: workflow }, headers: {}, payload }), (edited) =>
        printOne(view, { json, quiet }, edited)
      )
    )
  })
).pipe(Command.withDescription("Update the name or the draft of a workflow"))

export const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, workflow, yes: Flags.yes },
  Effect.fn(function* ({ org, workflow, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, workflows }) {
        yield* confirm(`Delete the workflow ${workflow} of ${name}, with its versions?`, yes)
        yield* workflows.delete({ params: { id: workflow }, headers: {} })
        yield* Console.error(`The workflow ${workflow} is deleted.`)
      })
    )
  })
).pipe(Command.withDescription("Delete a draft or archived workflow"))

export const validateCommand = Command.make(
  "validate",
  { org: Flags.org, workflow, json: Flags.json },
  Effect.fn(function* ({ json, org, workflow }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ workflows }) {
        const { faults } = yield* workflows.validate({ params: { id: workflow } })
        if (json) return yield* printJson({ faults })
        if (faults.length === 0) return yield* Console.error("The draft is valid.")
        yield* Effect.forEach(faults, ({ message, pointer }) => Console.log(`${pointer}: ${message}`), {
          discard: true
        })
        return yield* new Refused({
          message: faults.length === 1 ? "The draft has 1 error." : `The draft has ${faults.length} errors.`
        })
      })
    )
  })
).pipe(Command.withDescription("List all faults that block the publishing of a draft"))
