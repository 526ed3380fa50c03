import { ChatAccountId, TemplateStatus } from "@parley/domain/messaging"
import { Console, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, one, queryOf } from "../console/listing.ts"
import { printJson, printList } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import {
  archive,
  create,
  createFromLibrary,
  deleteCommand,
  edit,
  library,
  preview,
  previewContent,
  show,
  submit,
  unarchive,
  unpause,
  update,
  upsertAuthentication
} from "./templates/changes.ts"
import { listView } from "./templates/views.ts"

const sync = Command.make(
  "sync",
  {
    org: Flags.org,
    account: typedFlag("chat-account", ChatAccountId).pipe(Flag.withDescription("Id of the chat account")),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.sync({ payload: { chatAccountId: account } }), (result) =>
        json
          ? printJson(result)
          : Console.log(
              `Created: ${result.created}, updated: ${result.updated}, unchanged: ${result.unchanged}, missing at the provider: ${result.missing}.`
            )
      )
    )
  })
).pipe(Command.withDescription("Read the message templates from the provider"))

const list = Command.make(
  "list",
  {
    org: Flags.org,
    ...listFlags({
      chatAccountId: one(ChatAccountId),
      status: one(TemplateStatus),
      name: one(Schema.NonEmptyString)
    })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messageTemplates }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          messageTemplates.list({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(listView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the message templates, by name"),
  Command.withAlias("ls"),
  Command.withExamples([{ command: "parley templates list --org acme --filter status=approved --filter name=order" }])
)

export const templates = Command.make("templates").pipe(
  Command.withSubcommands([
    list,
    show,
    create,
    update,
    preview,
    previewContent,
    submit,
    edit,
    unpause,
    archive,
    unarchive,
    upsertAuthentication,
    deleteCommand,
    library,
    createFromLibrary,
    sync
  ])
)
