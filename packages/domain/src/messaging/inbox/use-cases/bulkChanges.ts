import { DateTime, Effect, Schema } from "effect"
import { transact, useCase, type UserId } from "../../../kernel/index.ts"
import { type Conversation, type ConversationBulk, type ConversationBulkResult, Labels } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { lockAssignee } from "../assignees.ts"
import {
  type ConversationChange,
  isSameConversation,
  isUnread,
  saveConversationChanges,
  markRead,
  markUnread
} from "../conversationChanges.ts"
import { withAssignee, checkSnooze, withStatus, withLabels, withPriority, withSnooze } from "../conversationStates.ts"

type ConversationAction = ConversationBulk["action"]
type ResolvedAction =
  | Exclude<ConversationAction, { readonly type: "assign" | "read" | "unread" }>
  | { readonly type: "assign"; readonly assigneeId: UserId | null }
type RefusedChange = ConversationBulkResult["refused"][number]

type ChangeRefusal = { readonly _tag: string; readonly message: string } | Pick<RefusedChange, "code" | "detail">

const areLabels = Schema.is(Labels)

/** Resolves `me` in the action to the current user's id, and fails if the action is not allowed. */
const resolveAction = Effect.fnUntraced(function* (action: ConversationAction, now: DateTime.Utc) {
  if (action.type === "snooze") yield* checkSnooze(action.until, now, "/action/until")
  if (action.type !== "assign") return action
  const { assigneeId, fits } = yield* lockAssignee(action.assigneeId, "/action/assigneeId")
  yield* fits
  return { ...action, assigneeId }
})

const addLabels = (before: Conversation, added: ReadonlyArray<string>, now: DateTime.Utc) => {
  const labels = [...new Set([...before.labels, ...added])]
  return areLabels(labels)
    ? Effect.succeed(withLabels(before, labels, now))
    : Effect.fail({ code: "too_many_labels", detail: "The conversation would have more than 20 labels." })
}

/** Applies the action to a conversation. An unchanged value is no change. */
const applyAction = (
  before: Conversation,
  action: ResolvedAction,
  now: DateTime.Utc
): Effect.Effect<Conversation, ChangeRefusal> => {
  switch (action.type) {
    case "resolve":
      return before.status === "resolved" ? Effect.succeed(before) : withStatus(before, "resolved", now)
    case "reopen":
      return before.status === "open" ? Effect.succeed(before) : withStatus(before, "open", now)
    case "snooze":
      return withSnooze(before, action.until, now)
    case "assign":
      return Effect.succeed(withAssignee(before, action.assigneeId, now))
    case "set_priority":
      return Effect.succeed(withPriority(before, action.priority, now))
    case "add_labels":
      return addLabels(before, action.labels, now)
    case "remove_labels": {
      const labels = before.labels.filter((label) => !action.labels.includes(label))
      return Effect.succeed(withLabels(before, labels, now))
    }
  }
}

const toRefusedChange = (id: Conversation["id"], error: ChangeRefusal): RefusedChange => {
  if ("code" in error) return { id, ...error }
  const code = error._tag === "ConversationExists" ? "conversation_exists" : "conversation_transition_invalid"
  return { id, code, detail: error.message }
}

/** Whether another unresolved conversation with the contact may conflict with the change. */
const canConflict = ({ after, before }: ConversationChange) =>
  before.status === "resolved" && after.status !== "resolved"

const saveChanges = Effect.fnUntraced(function* (changes: ReadonlyArray<ConversationChange>, isBulk: boolean) {
  const refused: Array<RefusedChange> = []
  yield* Effect.catchTag(
    saveConversationChanges(
      changes.filter((change) => !canConflict(change)),
      isBulk
    ),
    "ConversationExists",
    Effect.die
  )
  for (const change of changes.filter(canConflict)) {
    yield* Effect.catchTag(transact(saveConversationChanges([change], isBulk)), "ConversationExists", (error) =>
      Effect.sync(() => refused.push(toRefusedChange(change.before.id, error)))
    )
  }
  return refused
})

const change = Effect.fnUntraced(function* (
  taken: ReadonlyArray<Conversation>,
  action: ResolvedAction,
  isBulk: boolean,
  now: DateTime.Utc
) {
  const changes: Array<ConversationChange> = []
  const refused: Array<RefusedChange> = []
  for (const before of taken) {
    yield* Effect.match(applyAction(before, action, now), {
      onSuccess: (after) => changes.push({ before, after }),
      onFailure: (error) => refused.push(toRefusedChange(before.id, error))
    })
  }
  const real = changes.filter((change) => !isSameConversation(change))
  const clashed = yield* saveChanges(real, isBulk)
  return { changed: real.length - clashed.length, refused: [...refused, ...clashed] }
})

/**
 * Changes a batch of conversations. Conversations that cannot take the change stay unchanged and are listed. A change of a single conversation can
 * trigger automatic processing.
 */
export const changeConversations = useCase(
  {
    name: "conversations.change",
    access: { permission: "conversations.manage" },
    audit: "conversation.updated",
    emits: ["conversation.status_changed"]
  },
  Effect.fnUntraced(function* ({
    action: input,
    ids,
    isBulk = true
  }: ConversationBulk & { readonly isBulk?: boolean }) {
    const now = yield* DateTime.now
    const action = yield* resolveAction(input, now)
    const found = yield* (yield* Conversations).lock(ids)
    const taken = ids.flatMap((id) => found.find((conversation) => conversation.id === id) ?? [])
    const missing = ids
      .filter((id) => !found.some((conversation) => conversation.id === id))
      .map((id) => ({ id, code: "not_found", detail: "There is no conversation with this id in this organization." }))
    if (action.type === "read" || action.type === "unread") {
      const isRead = action.type === "read"
      const turned = taken.filter((each) => isUnread(each) === isRead)
      yield* isRead ? markRead(turned) : markUnread(turned)
      return {
        changed: turned.length,
        unchanged: taken.length - turned.length,
        refused: missing
      } satisfies ConversationBulkResult
    }
    const { changed, refused } = yield* change(taken, action, isBulk, now)
    return {
      changed,
      unchanged: taken.length - changed - refused.length,
      refused: [...missing, ...refused]
    } satisfies ConversationBulkResult
  }, transact)
)
