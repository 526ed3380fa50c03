import { PrivacyRequest, PrivacyRequestId, PrivacyState } from "@parley/domain/commerce"
import { PrivacyExport } from "@parley/domain/composition"
import { Console, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, one, queryOf } from "../../console/listing.ts"
import { printJson, printList, printOne, type View } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { typedArgument } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { at } from "./views.ts"

const view: View<PrivacyRequest> = {
  schema: PrivacyRequest,
  none: "No matching privacy request was found.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "KIND", of: ({ kind }) => kind },
    { heading: "STATE", of: ({ state }) => state },
    { heading: "RECEIVED", of: ({ receivedAt }) => at(receivedAt) },
    { heading: "DUE", of: ({ dueAt }) => at(dueAt) },
    { heading: "DONE", of: ({ doneAt }) => at(doneAt) },
    { heading: "CONTACT", of: ({ contactId }) => contactId ?? "" },
    { heading: "STORE", of: ({ storeConnectionId }) => storeConnectionId },
    { heading: "REASON", of: ({ reason }) => reason ?? "" }
  ]
}

const request = typedArgument("request", PrivacyRequestId).pipe(Argument.withDescription("Id of the privacy request"))

const encodeExport = Schema.encodeSync(PrivacyExport)

const list = Command.make(
  "list",
  { org: Flags.org, ...listFlags({ state: one(PrivacyState) }) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ privacyRequests }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          privacyRequests.list({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the privacy requests of shops, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley stores privacy list --filter state=ready" }])
)

const show = Command.make(
  "show",
  { org: Flags.org, request, json: Flags.json },
  Effect.fn(function* ({ json, org, request }) {
    yield* inTenant(org, ({ privacyRequests }) =>
      Effect.flatMap(privacyRequests.get({ params: { id: request } }), (found) => printOne(view, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a privacy request; --json adds the counts of found or erased data"))

const exportCommand = Command.make(
  "export",
  { org: Flags.org, request },
  Effect.fn(function* ({ org, request }) {
    yield* inTenant(org, ({ privacyRequests }) =>
      Effect.flatMap(privacyRequests.export({ params: { id: request } }), (found) => printJson(encodeExport(found)))
    )
  })
).pipe(
  Command.withDescription("Write all current data of the person as JSON, for the owner of the shop"),
  Command.withExamples([{ command: "parley stores privacy export 0196... > ada.json" }])
)

const complete = Command.make(
  "complete",
  { org: Flags.org, request, yes: Flags.yes, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, request, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ privacyRequests }) {
        yield* confirm(`Complete the request ${request}? Its export cannot be read again.`, yes)
        const done = yield* privacyRequests.complete({ params: { id: request } })
        yield* printOne(view, { json, quiet }, done)
        if (!json && !quiet) yield* Console.error("The request is done.")
      })
    )
  })
).pipe(Command.withDescription("Complete a privacy request after the transfer of its export"))

export const privacyCommand = Command.make("privacy").pipe(
  Command.withDescription("Privacy requests of shops: list, show, export, complete"),
  Command.withSubcommands([list, show, exportCommand, complete])
)
