import { UserId } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  ChatAccountId,
  ConversationId,
  ConversationStatus,
  ExpandedConversation,
  ExpandedMessage,
  Message,
  NewMessage,
  Priority
} from "@parley/domain/messaging"
import { Console, DateTime, Effect, type FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, narrowed, one, queryOf, several, TrueOrFalse } from "../console/listing.ts"
import { printJson, printList, printOne, type View } from "../console/print.ts"
import { jsonFile, typedArgument } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"

const nameOf = ({ contact }: ExpandedConversation) => contact.name ?? contact.phone ?? contact.id

const view: View<ExpandedConversation> = {
  schema: ExpandedConversation,
  none: "No matching conversation was found.",
  columns: [
    { heading: "ID", of: (conversation) => conversation.id },
    { heading: "CONTACT", of: nameOf },
    { heading: "RECIPIENT", of: ({ recipient }) => recipient?.value ?? "" },
    { heading: "STATUS", of: (conversation) => conversation.status },
    {
      heading: "UNREAD",
      of: (conversation) => (conversation.unreadCount === 0 ? "" : String(conversation.unreadCount))
    },
    {
      heading: "WINDOW",
      of: ({ window }) =>
        window.open && window.expiresAt !== null ? `open until ${DateTime.formatIso(window.expiresAt)}` : "closed"
    },
    {
      heading: "FREE UNTIL",
      of: ({ freeEntryPoint }) => (freeEntryPoint === null ? "" : DateTime.formatIso(freeEntryPoint.expiresAt))
    },
    {
      heading: "WAITING SINCE",
      of: ({ waitingSince }) => (waitingSince === null ? "" : DateTime.formatIso(waitingSince))
    },
    { heading: "LAST ACTIVITY", of: (conversation) => DateTime.formatIso(conversation.lastActivityAt) },
    { heading: "LAST MESSAGE", of: ({ lastMessage }) => lastMessage?.text ?? lastMessage?.kind ?? "" }
  ]
}

const messageView: View<Message> = {
  schema: Message,
  none: "The conversation has no messages.",
  columns: [
    { heading: "AT", of: (message) => DateTime.formatIso(message.at) },
    { heading: "FROM", of: (message) => message.author.kind },
    { heading: "TO", of: ({ recipient }) => recipient?.value ?? "" },
    { heading: "KIND", of: (message) => message.kind },
    { heading: "STATUS", of: (message) => message.status },
    { heading: "TEXT", of: (message) => message.text ?? message.media?.filename ?? message.template?.name ?? "" },
    { heading: "ERROR", of: ({ error }) => error?.reason ?? "" }
  ]
}

const conversation = typedArgument("conversation", ConversationId).pipe(
  Argument.withDescription("Id of the conversation")
)

const sorts = ["-lastActivityAt", "lastActivityAt", "-createdAt", "createdAt", "waitingSince", "priority"] as const

const list = Command.make(
  "list",
  {
    org: Flags.org,
    status: Flag.Literals("status", ConversationStatus.literals).pipe(
      Flag.withDescription("Only rows in this status"),
      Flag.optional
    ),
    unread: Flag.Boolean("unread").pipe(
      Flag.withDescription("Only conversations with unread messages"),
      Flag.withDefault(false)
    ),
    awaitingReply: Flag.Boolean("awaiting-reply").pipe(
      Flag.withDescription("Only conversations whose contact waits for an answer"),
      Flag.withDefault(false)
    ),
    sort: Flag.Literals("sort", sorts).pipe(
      Flag.withDescription("Sort order; waitingSince: longest wait first, priority: most urgent first"),
      Flag.optional
    ),
    ...listFlags({
      status: several(ConversationStatus),
      assignee: one(Schema.Union([Schema.Literals(["me", "none"]), UserId])),
      unread: one(TrueOrFalse),
      awaitingReply: one(TrueOrFalse),
      priority: several(Priority),
      label: several(Schema.NonEmptyString),
      chatAccountId: one(ChatAccountId),
      contactId: one(ContactId),
      q: one(Schema.NonEmptyString)
    })
  },
  Effect.fn(function* ({ awaitingReply, filter, json, limit, org, quiet, sort, status, unread }) {
    const asked = yield* narrowed(filter, {
      ...(Option.isSome(status) && { status: [status.value] }),
      ...(unread && { unread }),
      ...(awaitingReply && { awaitingReply })
    })
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ conversations }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          conversations.list({
            query: { ...asked, ...(Option.isSome(sort) && { sort: sort.value }), ...queryOf(page) }
          })
        )
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the conversations, latest first"),
  Command.withAlias("ls"),
  Command.withExamples([
    { command: "parley conversations list --org acme --status open --unread" },
    { command: "parley conversations list --org acme --awaiting-reply --sort waitingSince" },
    { command: "parley conversations list --filter status=open --filter status=pending --filter assignee=none" }
  ])
)

const encodeMessage = Schema.encodeSync(ExpandedMessage)

const encodeConversation = Schema.encodeSync(ExpandedConversation)

const show = Command.make(
  "show",
  { org: Flags.org, conversation, limit: Flags.limit, json: Flags.json },
  Effect.fn(function* ({ conversation, json, limit, org }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ conversations, messages }) {
        const params = { id: conversation }
        const found = yield* conversations.get({ params })
        const { isCut, rows } = yield* collect(limit, (page) => messages.list({ params, query: queryOf(page) }))
        if (json) {
          return yield* printJson({
            ...encodeConversation(found),
            messages: rows.map((message) => encodeMessage(message))
          })
        }
        yield* printOne(view, {}, found)
        yield* Console.log("")
        yield* printList(messageView, {}, rows.toReversed(), isCut)
      })
    )
  })
).pipe(Command.withDescription("Show a conversation with its last messages"))

const [textMessage] = NewMessage.members

const noMessage = new Refused({ message: "Expected either a text or --message with a file." })

/** Message of a command: a text, or a file with a message of any kind. */
const messageOf = Effect.fnUntraced(function* (
  text: Option.Option<string>,
  file: Option.Option<string>
): Effect.fn.Return<NewMessage, Refused, FileSystem.FileSystem> {
  if (Option.isSome(text) === Option.isSome(file)) return yield* noMessage
  return Option.isSome(file)
    ? yield* jsonFile(file.value, NewMessage, `The message in ${file.value} is not valid:`)
    : { kind: "text", text: Option.getOrElse(text, () => "") }
})

const send = Command.make(
  "send",
  {
    org: Flags.org,
    conversation,
    text: typedArgument("text", textMessage.fields.text).pipe(
      Argument.withDescription("Text of the message, without --message"),
      Argument.optional
    ),
    message: Flag.String("message").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("JSON file with a message of any kind, as in the API"),
      Flag.optional
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ conversation, json, message: file, org, quiet, text }) {
    const payload = yield* messageOf(text, file)
    yield* inTenant(org, ({ messages }) =>
      Effect.flatMap(messages.send({ params: { id: conversation }, payload }), (message) =>
        printOne(messageView, { json, quiet }, message)
      )
    )
  })
).pipe(
  Command.withDescription("Queue a message to the contact. A running service sends it"),
  Command.withExamples([
    { command: 'parley conversations send --org acme 0197... "Your parcel is on its way."' },
    { command: "parley conversations send --org acme 0197... --message buttons.json" }
  ])
)

const unread = Command.make(
  "unread",
  { org: Flags.org, conversation, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ conversation, json, org, quiet }) {
    yield* inTenant(org, ({ conversations }) =>
      Effect.flatMap(conversations.unread({ params: { id: conversation } }), (marked) =>
        printOne(view, { json, quiet }, marked)
      )
    )
  })
).pipe(Command.withDescription("Mark a conversation as unread"))

export const conversations = Command.make("conversations").pipe(Command.withSubcommands([list, show, send, unread]))
