import { type Conversation, ConversationExists, type ConversationWait } from "@parley/domain/messaging"
import { HashMap } from "effect"
import type { Tenant } from "../../store/State.ts"
import type { ConversationRow } from "../state.ts"
import { refuse, type Refused } from "../../store/Store.ts"

type Rows = Tenant["conversations"]

const placeOf = ({ chatAccountId, contactId }: Conversation): string => `${contactId}\t${chatAccountId}`

/** The wait of a conversation. */
export const waitingOf = ({
  firstRepliedAt,
  firstReplyId,
  id,
  waitRound,
  waitingSince
}: Conversation): ConversationWait => ({
  id,
  waitingSince,
  firstRepliedAt,
  firstReplyId,
  waitRound
})

/** The conversations with these, or the clash of two unresolved ones between the same two. */
export const withConversations = (
  before: Rows,
  added: ReadonlyArray<ConversationRow>
): Rows | Refused<ConversationExists> => {
  const rows = added.reduce((rows, row) => HashMap.set(rows, row.conversation.id, row), before)
  const ids = new Set(added.map(({ conversation }) => conversation.id))
  const unresolved = HashMap.toValues(rows)
    .map(({ conversation }) => conversation)
    .filter(({ status }) => status !== "resolved")
  for (const { conversation } of added) {
    if (conversation.status === "resolved") continue
    const others = unresolved.filter((each) => each.id !== conversation.id && placeOf(each) === placeOf(conversation))
    const other = others.find(({ id }) => !ids.has(id)) ?? others[0]
    if (other !== undefined) return refuse(new ConversationExists({ conversationId: other.id }))
  }
  return rows
}
