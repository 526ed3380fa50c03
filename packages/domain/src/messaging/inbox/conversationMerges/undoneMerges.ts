import type { DateTime } from "effect"
import type { ContactId, ContactMergeId } from "../../../crm/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import { Conversation } from "../Conversation.ts"
import type { ConversationId } from "../Message.ts"
import { type ConversationMerge, mergeConversations } from "./conversationMerge.ts"
import { applyChanges } from "./applyChanges.ts"

/** Input for undoing the joins of a merge. */
export interface ConversationMergesToUndo {
  readonly undone: ContactMergeId
  /** The restored contact. */
  readonly to: ContactId
  /** Conversations that return to the restored contact. */
  readonly leaving: ReadonlySet<ConversationId>
  /** Joins of the merge, and of later merges into the same contact that are not undone, in merge order. */
  readonly joins: ReadonlyArray<ConversationMerge>
  /** Current state of the joined conversations and all other unresolved conversations of the contact. */
  readonly conversations: ReadonlyArray<Conversation>
}

/** Conversations and joins after the undo. */
export interface UndoneConversationMerges {
  readonly changed: ReadonlyArray<{ readonly before: Conversation; readonly after: Conversation }>
  /** Joins that the later merges would have made without this one. */
  readonly joins: ReadonlyArray<ConversationMerge>
}

const isUnresolved = ({ status }: Conversation) => status !== "resolved"

/** Replays the joins without one merge. For each conversation it computes the actual state after the last join, and the state without that merge. */
class MergeReplay {
  readonly left = new Map<ConversationId, Conversation>()
  readonly wanted = new Map<ConversationId, Conversation>()
  private readonly goesOn = new Map<ChatAccountId, ConversationId>()
  private readonly toUndo: Pick<ConversationMergesToUndo, "leaving" | "undone">
  private readonly now: DateTime.Utc

  constructor(toUndo: Pick<ConversationMergesToUndo, "leaving" | "undone">, now: DateTime.Utc) {
    this.toUndo = toUndo
    this.now = now
  }

  private isTouched({ after, before, mergeId }: ConversationMerge): boolean {
    const { leaving, undone } = this.toUndo
    const ids = [before.kept.id, before.other.id]
    const goesOn = this.goesOn.get(after.kept.chatAccountId)
    return mergeId === undone || ids.some((id) => leaving.has(id) || this.wanted.has(id) || id === goesOn)
  }

  private note({ after, before }: ConversationMerge) {
    for (const each of [before.kept, before.other]) {
      const [left, wanted] = [this.left.get(each.id), this.wanted.get(each.id)]
      this.wanted.set(each.id, left === undefined || wanted === undefined ? each : applyChanges(each, left, wanted))
    }
    for (const each of [after.kept, after.other]) this.left.set(each.id, each)
  }

  /** Replaces a leaving conversation by its joined conversation. */
  private pairOf({ after, before }: ConversationMerge): ReadonlyArray<Conversation> {
    const goesOn = this.goesOn.get(after.kept.chatAccountId)
    const staying = [before.kept.id, before.other.id].filter((id) => !this.toUndo.leaving.has(id))
    const ids = new Set(staying.length === 2 || goesOn === undefined ? staying : [...staying, goesOn])
    return [...ids].flatMap((id) => this.wanted.get(id) ?? []).filter(isUnresolved)
  }

  /** Returns the join without the undone merge; `null` if it would not have happened. */
  join(join: ConversationMerge): ConversationMerge | null {
    if (!this.isTouched(join)) return join
    const { after, mergeId } = join
    const { chatAccountId } = after.kept
    this.note(join)
    const [one, two] = this.pairOf(join)
    if (mergeId === this.toUndo.undone || one === undefined || two === undefined) {
      if (one === undefined) this.goesOn.delete(chatAccountId)
      else this.goesOn.set(chatAccountId, one.id)
      return null
    }
    const again = mergeConversations([one, two], mergeId, after.other.resolvedAt ?? this.now, this.now)
    for (const each of [again.after.kept, again.after.other]) this.wanted.set(each.id, each)
    this.goesOn.set(chatAccountId, again.after.kept.id)
    return again
  }
}

const conversationPairKey = ({ chatAccountId, contactId }: Conversation) => `${contactId} ${chatAccountId}`

/**
 * Undoes the joins of a merge, as if only the later merges had happened. Unchanged fields are restored, and fields that changed since stay. A
 * conversation stays resolved if its contact has another unresolved one over the number by now.
 */
export const undoConversationMerges = (
  toUndo: ConversationMergesToUndo,
  now: DateTime.Utc
): UndoneConversationMerges => {
  const { conversations, leaving, to } = toUndo
  const replay = new MergeReplay(toUndo, now)
  const joins = toUndo.joins.flatMap((join) => replay.join(join) ?? [])
  const assignees = new Set([null, ...conversations.map(({ assigneeId }) => assigneeId)])

  const owned = (each: Conversation) => (leaving.has(each.id) ? new Conversation({ ...each, contactId: to }) : each)
  const places = new Map<string, ConversationId>()
  const take = (each: Conversation) => places.set(conversationPairKey(each), each.id)
  for (const each of conversations.map(owned).filter(isUnresolved)) take(each)

  const restored = (before: Conversation): Conversation => {
    const [left, wanted] = [replay.left.get(before.id), replay.wanted.get(before.id)]
    if (left === undefined || wanted === undefined) return before
    const after = owned(applyChanges(before, left, wanted))
    // A member who has left the team since is not assigned again.
    const assigneeId = assignees.has(after.assigneeId) ? after.assigneeId : before.assigneeId
    const { resolvedAt, snoozedUntil, status } = before
    const holder = places.get(conversationPairKey(after))
    const isTaken = isUnresolved(after) && holder !== undefined && holder !== before.id
    if (isUnresolved(after) && !isTaken) take(after)
    return new Conversation({
      ...after,
      assigneeId,
      ...(isTaken && { resolvedAt, snoozedUntil, status, waitingSince: null }),
      updatedAt: now
    })
  }
  // Conversations that become resolved are processed first, because they free places for others.
  const isNowResolved = (each: Conversation) => isUnresolved(each) && !isUnresolved(replay.wanted.get(each.id) ?? each)
  const sorted = [...conversations.filter(isNowResolved), ...conversations.filter((each) => !isNowResolved(each))]
  const changed = sorted.flatMap((before) => {
    if (!replay.left.has(before.id)) return []
    if (isNowResolved(before) && places.get(conversationPairKey(owned(before))) === before.id)
      places.delete(conversationPairKey(owned(before)))
    return [{ before, after: restored(before) }]
  })
  return { changed, joins }
}
