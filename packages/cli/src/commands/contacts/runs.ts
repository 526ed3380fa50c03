import { ContactId } from "@parley/domain/crm"
import { ContactRun } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, pageFlags, queryOf } from "../../console/listing.ts"
import { printList, type View } from "../../console/print.ts"
import { typedArgument } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"

/** Resources that the run has changed, and the errors of its actions. */
const results = (each: ContactRun): string => {
  const parts = each.kind === "automation" ? each.run.actions : each.run.steps
  return parts
    .flatMap(({ effect, error }) => [
      ...(effect === null ? [] : [`${effect.kind} ${effect.id}`]),
      ...(error === null ? [] : [`error ${error.code}`])
    ])
    .join(", ")
}

const startEvent = (each: ContactRun) => (each.kind === "automation" ? each.run.event : each.run.startedBy)

const view: View<ContactRun> = {
  schema: ContactRun,
  none: "No run of an automation or a workflow touched this contact.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "KIND", of: ({ kind }) => kind },
    { heading: "NAME", of: ({ name }) => name ?? "(deleted)" },
    { heading: "STATE", of: ({ run }) => run.state },
    { heading: "REASON", of: ({ run }) => run.reason ?? "" },
    { heading: "STARTED BY", of: (each) => startEvent(each)?.type ?? "call" },
    { heading: "RESULTS", of: results },
    { heading: "STARTED", of: ({ at }) => DateTime.formatIso(at) }
  ]
}

const contact = typedArgument("contact", ContactId).pipe(Argument.withDescription("Id of the contact"))

export const runsCommand = Command.make(
  "runs",
  { org: Flags.org, contact, ...pageFlags },
  Effect.fn(function* ({ contact, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ contacts }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          contacts.listRuns({ params: { id: contact }, query: queryOf(page) })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the runs of automations and workflows for a contact, newest first"),
  Command.withExamples([{ command: "parley contacts runs --org acme 0198..." }])
)
