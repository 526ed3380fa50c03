import { Clock, Context, DateTime, Effect, Exit, Layer } from "effect"
import { type Contact, Contacts } from "../../../crm/index.ts"
import {
  asSystem,
  CurrentActor,
  CurrentCausation,
  CurrentOrganization,
  CurrentRequest,
  type GroupResult,
  makeGroups,
  type OrganizationId,
  transact
} from "../../../kernel/index.ts"
import type { LanePriority } from "../../../platform/background/index.ts"
import { type ChatAccountId, ChatAccounts, ChatChannels } from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId, Message } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { QueuedSends } from "../SendQueue.ts"
import { composePlain, type PlainMessage } from "./messageComposition.ts"
import {
  currentAuthor,
  currentSendPriority,
  newOutboundMessage,
  recordSentMessage,
  recordWrittenMessage,
  withWrittenMessage
} from "./messageWriting.ts"
import { type MessageTarget, resolveRecipientOf } from "./recipientResolution.ts"

/** Maximum number of messages in a unit of work. */
const maxGroupSize = 64

/** Plain message with the services that differ between callers. */
interface WaitingMessage {
  readonly conversationId: ConversationId
  readonly input: PlainMessage
  readonly caller: Context.Context<CurrentActor | ChatChannels>
}

/** The actor, the request, the causation and the time of the caller are in its message and in the trail. */
const callerContext = Effect.gen(function* () {
  return Context.make(CurrentActor, yield* CurrentActor).pipe(
    Context.add(ChatChannels, yield* ChatChannels),
    Context.add(Clock.Clock, yield* Clock.Clock),
    Context.add(CurrentRequest, yield* CurrentRequest),
    Context.add(CurrentCausation, yield* CurrentCausation)
  )
})

interface WrittenMessage {
  readonly message: Message
  readonly chatAccountId: ChatAccountId
  readonly priority: LanePriority
}

const byId = <Row extends { readonly id: string }>(rows: ReadonlyArray<Row>): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))

const idsOf = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> => Array.from(new Set(ids))

/** Writes one message and its traces, as its caller. Refusals leave no trace. */
const writeOne = Effect.fnUntraced(function* (target: MessageTarget, input: PlainMessage) {
  const { chatAccountId, id: conversationId } = target.conversation
  const recipient = yield* resolveRecipientOf(target, input.kind, { chosen: input.recipient })
  const at = yield* DateTime.now
  const message = yield* newOutboundMessage({
    ...composePlain(input),
    conversationId,
    author: yield* currentAuthor,
    recipient,
    at
  })
  const after = withWrittenMessage(target.conversation, message)
  yield* recordWrittenMessage(target.conversation, after, message)
  yield* recordSentMessage(message, input)
  return { after, written: { message, chatAccountId, priority: yield* currentSendPriority } satisfies WrittenMessage }
})

type WriteError = Effect.Error<ReturnType<typeof writeOne>>

/** Stores messages, accounts in one order to prevent deadlocks. */
const store = Effect.fnUntraced(function* (
  written: ReadonlyArray<WrittenMessage>,
  changed: ReadonlyArray<Conversation>
) {
  const accounts = Map.groupBy(written, ({ chatAccountId }) => chatAccountId)
  const inOrder = Array.from(accounts).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const messages = yield* Messages
  for (const [id, all] of inOrder)
    yield* messages.insert(
      id,
      all.map(({ message }) => message)
    )
  yield* (yield* Conversations).saveWritten(changed)
  const sends = yield* QueuedSends
  for (const [chatAccountId, all] of inOrder) {
    const now = all.map(({ message }) => message.at).reduce(DateTime.max)
    const priority = all.some((each) => each.priority === "person") ? "person" : "bulk"
    yield* sends.enqueue({ chatAccountId, messages: all.map(({ message }) => message), priority, now })
  }
})

/**
 * Writes messages of an organization in one unit of work. It leaves out messages to conversations that are locked, resolved or unknown: their callers
 * write them alone, so a group never waits for the change of a conversation.
 */
const writeGroup = Effect.fnUntraced(function* (items: ReadonlyArray<WaitingMessage>) {
  const locked = yield* (yield* Conversations).lockFree(idsOf(items.map(({ conversationId }) => conversationId)))
  const open = new Map(locked.flatMap((each) => (each.status === "resolved" ? [] : [[each.id, each] as const])))
  const conversations = Array.from(open.values())
  const accounts = byId(
    yield* (yield* ChatAccounts).find(idsOf(conversations.map(({ chatAccountId }) => chatAccountId)))
  )
  const contacts: ReadonlyMap<string, Contact> = byId(
    yield* (yield* Contacts).find(idsOf(conversations.map(({ contactId }) => contactId)))
  )
  const changed = new Map<ConversationId, Conversation>()
  const written: Array<WrittenMessage> = []
  const results: Array<GroupResult<Message, WriteError>> = []
  for (const item of items) {
    const conversation = changed.get(item.conversationId) ?? open.get(item.conversationId)
    if (conversation === undefined) {
      results.push("alone")
      continue
    }
    const account = accounts.get(conversation.chatAccountId)
    const contact = contacts.get(conversation.contactId)
    const outcome = yield* writeOne({ conversation, account, contact }, item.input).pipe(
      Effect.result,
      Effect.provideContext(item.caller)
    )
    if (outcome._tag === "Failure") {
      results.push(Exit.fail(outcome.failure))
      continue
    }
    const { after, written: one } = outcome.success
    changed.set(after.id, after)
    written.push(one)
    results.push(Exit.succeed(one.message))
  }
  if (written.length > 0) yield* store(written, Array.from(changed.values()))
  return results
}, transact)

/** Writes plain messages of one organization that arrive at the same time in a common unit of work. */
export class MessageGroups extends Context.Service<
  MessageGroups,
  {
    readonly write: <E, R>(
      conversationId: ConversationId,
      input: PlainMessage,
      alone: Effect.Effect<Message, E, R>
    ) => Effect.Effect<Message, E | WriteError, R | ChatChannels | CurrentActor | CurrentOrganization>
  }
>()("@parley/domain/messaging/inbox/MessageGroups") {
  /** Provides the groups of this process. */
  static readonly layer = Layer.effect(
    MessageGroups,
    Effect.gen(function* () {
      const groups = yield* makeGroups({
        limit: maxGroupSize,
        together: (id: OrganizationId, items: ReadonlyArray<WaitingMessage>) => asSystem("inbox")(id)(writeGroup(items))
      })
      return MessageGroups.of({
        write: Effect.fnUntraced(function* (conversationId, input, alone) {
          const { id } = yield* CurrentOrganization
          return yield* groups.run(id, { conversationId, input, caller: yield* callerContext }, alone)
        })
      })
    })
  )
}
