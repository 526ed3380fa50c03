import { DateTime, Effect, Schema } from "effect"
import { transact, useCase, type UserId } from "../../../kernel/index.ts"
import { type Conversation, type ConversationBulk, type ConversationBulkResult, Labels } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { takeAssignee } from "../assignees.ts"
import {
  type ConversationChange,
  isSame,
  isUnread,
  keepConversations,
  markRead,
  markUnread
} from "../conversationChanges.ts"
import { assigned, checkSnooze, inStatus, labelled, prioritized, snoozed } from "../conversationStates.ts"

type Action = ConversationBulk["action"]
type CheckedAction =
  | Exclude<Action, { readonly type: "assign" | "read" | "unread" }>
  | { readonly type: "assign"; readonly assigneeId: UserId | null }
type Refused = ConversationBulkResult["refused"][number]

type Unfit = { readonly _tag: string; readonly message: string } | Pick<Refused, "code" | "detail">

const areLabels = Schema.is(Labels)

/** The action, with whoever is called `me` by their id, if it is allowed. */
const checked = Effect.fnUntraced(function* (action: Action, now: DateTime.Utc) {
  if (action.type === "snooze") yield* checkSnooze(action.until, now, "/action/until")
  if (action.type !== "assign") return action
  const { assigneeId, fits } = yield* takeAssignee(action.assigneeId, "/action/assigneeId")
  yield* fits
  return { ...action, assigneeId }
})

const withLabels = (before: Conversation, added: ReadonlyArray<string>, now: DateTime.Utc) => {
  const labels = [...new Set([...before.labels, ...added])]
  return areLabels(labels)
    ? Effect.succeed(labelled(before, labels, now))
    : Effect.fail({ code: "too_many_labels", detail: "The conversation would have more than 20 labels." })
}

/** What the action makes of a conversation. What it is already is no change. */
const applied = (
  before: Conversation,
  action: CheckedAction,
  now: DateTime.Utc
): Effect.Effect<Conversation, Unfit> => {
  switch (action.type) {
    case "resolve":
      return before.status === "resolved" ? Effect.succeed(before) : inStatus(before, "resolved", now)
    case "reopen":
      return before.status === "open" ? Effect.succeed(before) : inStatus(before, "open", now)
    case "snooze":
      return snoozed(before, action.until, now)
    case "assign":
      return Effect.succeed(assigned(before, action.assigneeId, now))
    case "set_priority":
      return Effect.succeed(prioritized(before, action.priority, now))
    case "add_labels":
      return withLabels(before, action.labels, now)
    case "remove_labels": {
      const labels = before.labels.filter((label) => !action.labels.includes(label))
      return Effect.succeed(labelled(before, labels, now))
    }
  }
}

const why = (id: Conversation["id"], error: Unfit): Refused => {
  if ("code" in error) return { id, ...error }
  const code = error._tag === "ConversationExists" ? "conversation_exists" : "conversation_transition_invalid"
  return { id, code, detail: error.message }
}

/** Whether another unresolved conversation with the contact may conflict with the change. */
const mayClash = ({ after, before }: ConversationChange) => before.status === "resolved" && after.status !== "resolved"

const keep = Effect.fnUntraced(function* (changes: ReadonlyArray<ConversationChange>, isBulk: boolean) {
  const refused: Array<Refused> = []
  yield* Effect.catchTag(
    keepConversations(
      changes.filter((change) => !mayClash(change)),
      isBulk
    ),
    "ConversationExists",
    Effect.die
  )
  for (const change of changes.filter(mayClash)) {
    yield* Effect.catchTag(transact(keepConversations([change], isBulk)), "ConversationExists", (error) =>
      Effect.sync(() => refused.push(why(change.before.id, error)))
    )
  }
  return refused
})

const change = Effect.fnUntraced(function* (
  taken: ReadonlyArray<Conversation>,
  action: CheckedAction,
  isBulk: boolean,
  now: DateTime.Utc
) {
  const changes: Array<ConversationChange> = []
  const refused: Array<Refused> = []
  for (const before of taken) {
    yield* Effect.match(applied(before, action, now), {
      onSuccess: (after) => changes.push({ before, after }),
      onFailure: (error) => refused.push(why(before.id, error))
    })
  }
  const real = changes.filter((change) => !isSame(change))
  const clashed = yield* keep(real, isBulk)
  return { changed: real.length - clashed.length, refused: [...refused, ...clashed] }
})

/**
 * Changes many conversations at once. Those that the change does not fit stay as they are, and are named. A change that is not one of many
 * may start what starts by itself.
 */
export const changeConversations = useCase(
  "conversations.change",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({ action: said, ids }: ConversationBulk, isBulk: boolean = true) {
    const now = yield* DateTime.now
    const action = yield* checked(said, now)
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
