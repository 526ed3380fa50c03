import { DateTime, Effect } from "effect"
import {
  givenConversation,
  givenFailed,
  givenFile,
  givenMessage,
  givenNoteOf,
  givenNumber,
  givenReply
} from "../../inbox.ts"
import { freshText, givenContact } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onConversation =
  (body?: unknown, status: "open" | "resolved" = "open"): Recipe =>
  ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization, { status }), ({ id }) => ({ id, body }))

const onMessage: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const conversation = yield* givenConversation(tenant.organization)
    const { id: messageId } = yield* givenMessage(tenant.organization, conversation)
    return { id: conversation.id, params: { messageId } }
  })

const onNote =
  (body?: unknown): Recipe =>
  ({ person, tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenConversation(tenant.organization)
      const { id: noteId } = yield* givenNoteOf(tenant.organization, { id }, person)
      return { id, params: { noteId }, body }
    })

const onReply =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenReply(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "conversations.list": nothing,
  "conversations.create": ({ tenant }) =>
    Effect.map(
      Effect.all([givenContact(tenant.organization), givenNumber(tenant.organization)]),
      ([contact, account]) => ({ body: { contactId: contact.id, chatAccountId: account.id } })
    ),
  "conversations.counts": nothing,
  "conversations.bulk": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      body: { ids: [id], action: { type: "assign", assigneeId: tenant.owner.user.id } }
    })),
  "conversations.get": onConversation(),
  "conversations.update": onConversation({ priority: "high" }),
  "conversations.read": onConversation(),
  "conversations.presence": onConversation({ state: "typing" }),
  "conversations.unread": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization, { readCount: 1 }), ({ id }) => ({ id })),
  "conversations.assign": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      id,
      body: { assigneeId: tenant.owner.user.id }
    })),
  "conversations.snooze": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenConversation(tenant.organization)
      return { id, body: { until: DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 })) } }
    }),
  "conversations.resolve": onConversation(),
  "conversations.reopen": onConversation(undefined, "resolved"),
  "messages.list": onConversation(),
  "messages.search": () => Effect.succeed({ query: "?q=bread" }),
  "messages.send": onConversation({ kind: "text", text: "We do." }),
  "messages.get": onMessage,
  "messages.retry": ({ tenant }) =>
    Effect.gen(function* () {
      const conversation = yield* givenConversation(tenant.organization)
      const { id: messageId } = yield* givenFailed(tenant.organization, conversation)
      return { id: conversation.id, params: { messageId }, body: {} }
    }),
  "notes.list": onConversation(),
  "notes.create": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      id,
      body: { text: "Ask Mary.", mentions: [tenant.owner.user.id] }
    })),
  "notes.update": ({ tenant, ...others }) =>
    onNote({ text: "Ask Mary again.", mentions: [tenant.owner.user.id] })({ tenant, ...others }),
  "notes.delete": onNote(),
  "cannedReplies.list": nothing,
  "cannedReplies.create": () => Effect.map(freshText("r"), (shortcut) => ({ body: { shortcut, text: "Hello." } })),
  "cannedReplies.update": onReply({ text: "Good day." }),
  "cannedReplies.delete": onReply(),
  "media.upload": () =>
    Effect.succeed({
      text: "Rye bread: 4.20",
      headers: { "content-type": "text/plain" },
      query: "?filename=prices.txt"
    }),
  "media.download": ({ tenant }) => Effect.map(givenFile(tenant.organization), ({ id }) => ({ id }))
}
