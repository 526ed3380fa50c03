import { Timestamp } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ConversationId, Direction, FoundMessage } from "@parley/domain/messaging"
import { DateTime, Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, one, queryOf } from "../console/listing.ts"
import { printRows, type View } from "../console/print.ts"
import { typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

const view: View<FoundMessage> = {
  schema: FoundMessage,
  none: "No message contains these words.",
  columns: [
    { heading: "AT", of: ({ message }) => DateTime.formatIso(message.at) },
    { heading: "CONVERSATION", of: ({ conversation }) => conversation.id },
    {
      heading: "CONTACT",
      of: ({ conversation: { contact } }) => contact.name ?? contact.phone ?? contact.id
    },
    { heading: "FROM", of: ({ message }) => message.author.kind },
    { heading: "TEXT", of: ({ snippet }) => snippet.text }
  ]
}

const search = Command.make(
  "search",
  {
    org: Flags.org,
    words: typedArgument("words", Schema.NonEmptyString).pipe(
      Argument.withDescription("Words of the message; each one matches from its start")
    ),
    ...listFlags({
      conversationId: one(ConversationId),
      contactId: one(ContactId),
      direction: one(Direction),
      from: one(Timestamp),
      to: one(Timestamp)
    })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, words }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ messages }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          messages.search({ query: { ...filter, q: words, ...queryOf(page) } })
        )
        yield* printRows(view, { json, quiet }, rows, isCut, ({ message }) => message.id)
      })
    )
  })
).pipe(
  Command.withDescription("Search the messages of all conversations, latest first"),
  Command.withExamples([
    { command: 'parley messages search --org acme "rye bread"' },
    { command: "parley messages search refund --filter direction=inbound --filter from=2026-11-01T00:00:00Z" }
  ])
)

export const messages = Command.make("messages").pipe(Command.withSubcommands([search]))
