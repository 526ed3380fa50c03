import { ChatAccountId, ChatAccountView } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, queryOf } from "../console/listing.ts"
import { printList, printOne, type View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

const view: View<ChatAccountView> = {
  schema: ChatAccountView,
  none: "This organization has no chat accounts.",
  columns: [
    { heading: "ID", of: (account) => account.id },
    { heading: "NAME", of: (account) => account.displayName },
    { heading: "PHONE", of: (account) => account.phone ?? "" },
    { heading: "MODE", of: (account) => account.mode },
    { heading: "STATUS", of: (account) => account.status },
    { heading: "QUALITY", of: (account) => account.qualityRating },
    { heading: "LIMIT", of: (account) => account.messagingLimit ?? "" },
    {
      heading: "CHECKED",
      of: ({ lastCheckedAt }) => (lastCheckedAt === null ? "never" : DateTime.formatIso(lastCheckedAt))
    },
    { heading: "ERROR", of: ({ lastError }) => lastError?.reason ?? "" }
  ]
}

const list = Command.make(
  "list",
  { org: Flags.org, ...listFlags({}) },
  Effect.fn(function* ({ json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ chatAccounts }) {
        const { isCut, rows } = yield* collect(limit, (page) => chatAccounts.list({ query: queryOf(page) }))
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the connected numbers, newest first"), Command.withAlias("ls"))

const check = Command.make(
  "check",
  {
    org: Flags.org,
    account: typedArgument("account", ChatAccountId).pipe(Argument.withDescription("Id of the chat account")),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ chatAccounts }) =>
      Effect.flatMap(chatAccounts.check({ params: { id: account } }), (checked) => printOne(view, { json }, checked))
    )
  })
).pipe(Command.withDescription("Read the state of a number from the provider, and store it"))

export const chatAccounts = Command.make("chat-accounts").pipe(Command.withSubcommands([list, check]))
