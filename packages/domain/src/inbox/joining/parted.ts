import type { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ContactId, ContactMergeId } from "../../crm/index.ts"
import { Conversation } from "../Conversation.ts"
import type { ConversationId } from "../Ids.ts"
import { carried } from "./carried.ts"
import type { ConversationJoin } from "./ConversationJoin.ts"
import { joined } from "./joined.ts"

/** Everything that the undoing of a merge has to know. */
export interface Parting {
  readonly undone: ContactMergeId
  /** The contact that comes back. */
  readonly to: ContactId
  /** The conversations that go back to it. */
  readonly leaving: ReadonlySet<ConversationId>
  /** The joins of the merge, and of later ones into the same contact that stand, in the order of their merges. */
  readonly joins: ReadonlyArray<ConversationJoin>
  /** Those that were joined, and every other one of the contact that is not resolved, as they are now. */
  readonly conversations: ReadonlyArray<Conversation>
}

/** What an undone merge leaves of conversations. */
export interface Parted {
  readonly changed: ReadonlyArray<{ readonly before: Conversation; readonly after: Conversation }>
  /** What the later merges have joined, had it not been for this one. */
  readonly joins: ReadonlyArray<ConversationJoin>
}

const isUnresolved = ({ status }: Conversation) => status !== "resolved"

/** Conversations along the merges: as the last join has left them, and as it would have, had it not been for one merge. */
class Replay {
  readonly left = new Map<ConversationId, Conversation>()
  readonly wanted = new Map<ConversationId, Conversation>()
  private readonly goesOn = new Map<ChatAccountId, ConversationId>()
  private readonly parting: Pick<Parting, "leaving" | "undone">
  private readonly now: DateTime.Utc

  constructor(parting: Pick<Parting, "leaving" | "undone">, now: DateTime.Utc) {
    this.parting = parting
    this.now = now
  }

  private isTouched({ after, before, mergeId }: ConversationJoin): boolean {
    const { leaving, undone } = this.parting
    const ids = [before.kept.id, before.other.id]
    const goesOn = this.goesOn.get(after.kept.chatAccountId)
    return mergeId === undone || ids.some((id) => leaving.has(id) || this.wanted.has(id) || id === goesOn)
  }

  private note({ after, before }: ConversationJoin) {
    for (const each of [before.kept, before.other]) {
      const [left, wanted] = [this.left.get(each.id), this.wanted.get(each.id)]
      this.wanted.set(each.id, left === undefined || wanted === undefined ? each : carried(each, left, wanted))
    }
    for (const each of [after.kept, after.other]) this.left.set(each.id, each)
  }

  /** In place of one that leaves, the one that was joined with it comes. */
  private pairOf({ after, before }: ConversationJoin): ReadonlyArray<Conversation> {
    const goesOn = this.goesOn.get(after.kept.chatAccountId)
    const staying = [before.kept.id, before.other.id].filter((id) => !this.parting.leaving.has(id))
    const ids = new Set(staying.length === 2 || goesOn === undefined ? staying : [...staying, goesOn])
    return [...ids].flatMap((id) => this.wanted.get(id) ?? []).filter(isUnresolved)
  }

  /** The join as it would have been; `null` if there would have been none. */
  join(join: ConversationJoin): ConversationJoin | null {
    if (!this.isTouched(join)) return join
    const { after, mergeId } = join
    const { chatAccountId } = after.kept
    this.note(join)
    const [one, two] = this.pairOf(join)
    if (mergeId === this.parting.undone || one === undefined || two === undefined) {
      if (one === undefined) this.goesOn.delete(chatAccountId)
      else this.goesOn.set(chatAccountId, one.id)
      return null
    }
    const again = joined([one, two], mergeId, after.other.resolvedAt ?? this.now, this.now)
    for (const each of [again.after.kept, again.after.other]) this.wanted.set(each.id, each)
    this.goesOn.set(chatAccountId, again.after.kept.id)
    return again
  }
}

const placeOf = ({ chatAccountId, contactId }: Conversation) => `${contactId} ${chatAccountId}`

/**
 * Takes back what a merge made of conversations, as if only the later merges had been: what nobody has changed since is as it was
 * before, and what somebody has stays. One that was taken up again beside another since does not come back.
 */
export const partedConversations = (parting: Parting, now: DateTime.Utc): Parted => {
  const { conversations, leaving, to } = parting
  const replay = new Replay(parting, now)
  const joins = parting.joins.flatMap((join) => replay.join(join) ?? [])
  const assignees = new Set([null, ...conversations.map(({ assigneeId }) => assigneeId)])

  const owned = (each: Conversation) => (leaving.has(each.id) ? new Conversation({ ...each, contactId: to }) : each)
  const places = new Map<string, ConversationId>()
  const take = (each: Conversation) => places.set(placeOf(each), each.id)
  for (const each of conversations.map(owned).filter(isUnresolved)) take(each)

  const restored = (before: Conversation): Conversation => {
    const [left, wanted] = [replay.left.get(before.id), replay.wanted.get(before.id)]
    if (left === undefined || wanted === undefined) return before
    const after = owned(carried(before, left, wanted))
    // Whoever has left the team since takes care of nothing again.
    const assigneeId = assignees.has(after.assigneeId) ? after.assigneeId : before.assigneeId
    const { resolvedAt, snoozedUntil, status } = before
    const holder = places.get(placeOf(after))
    const isTaken = isUnresolved(after) && holder !== undefined && holder !== before.id
    if (isUnresolved(after) && !isTaken) take(after)
    return new Conversation({
      ...after,
      assigneeId,
      ...(isTaken && { resolvedAt, snoozedUntil, status }),
      updatedAt: now
    })
  }
  // Those that are resolved by this make room for others.
  const ending = (each: Conversation) => isUnresolved(each) && !isUnresolved(replay.wanted.get(each.id) ?? each)
  const sorted = [...conversations.filter(ending), ...conversations.filter((each) => !ending(each))]
  const changed = sorted.flatMap((before) => {
    if (!replay.left.has(before.id)) return []
    if (ending(before) && places.get(placeOf(owned(before))) === before.id) places.delete(placeOf(owned(before)))
    return [{ before, after: restored(before) }]
  })
  return { changed, joins }
}
