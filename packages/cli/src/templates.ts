import { ChatAccountId } from "@parley/domain"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "./console/flags.ts"
import { printJson } from "./console/print.ts"
import { typedFlag } from "./console/typed.ts"
import { inTenant } from "./tenant/inTenant.ts"

const sync = Command.make(
  "sync",
  {
    org: Flags.org,
    account: typedFlag("account", ChatAccountId).pipe(Flag.withDescription("The id of the chat account")),
    json: Flags.json
  },
  Effect.fn(function* ({ account, json, org }) {
    yield* inTenant(org, ({ messageTemplates }) =>
      Effect.flatMap(messageTemplates.sync({ payload: { chatAccountId: account } }), (result) =>
        json
          ? printJson(result)
          : Console.log(
              `New: ${result.created}, changed: ${result.updated}, as before: ${result.unchanged}, gone from the provider: ${result.missing}.`
            )
      )
    )
  })
).pipe(Command.withDescription("Bring in the message templates as the provider keeps them"))

/** The commands about message templates. */
export const templates = Command.make("templates").pipe(
  Command.withDescription("Message templates: sync"),
  Command.withSubcommands([sync])
)
