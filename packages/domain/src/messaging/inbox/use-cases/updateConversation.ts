import { type DateTime, Effect } from "effect"
import { channelFor } from "../../chat/index.ts"
import { Contacts } from "../../../crm/index.ts"
import { NotFound, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { takeAssignee } from "../assignees.ts"
import { patched } from "../changes.ts"
import { Conversation, type ConversationPatch } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import type { RecipientChoice } from "../Message.ts"
import { addressed, sameRecipient } from "../recipients.ts"
import { chosenWay } from "../writing/reach.ts"
import { reviveConversation } from "../changeConversation.ts"

/** Has the messages go to another identity of the contact, until one of them writes. */
const readdressed = Effect.fnUntraced(function* (before: Conversation, chosen: RecipientChoice, now: DateTime.Utc) {
  const [contact] = yield* (yield* Contacts).find([before.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact" })
  const { provider } = yield* (yield* Conversations).get(before.id)
  const sending = yield* channelFor({ provider: provider ?? "" }, "sending")
  const recipient = yield* chosenWay(contact, chosen, sending)
  return before.recipient !== null && sameRecipient(before.recipient, recipient)
    ? before
    : new Conversation({ ...addressed(before, recipient, now), updatedAt: now })
})

/** Changes what the team has noted of a conversation. */
export const updateConversation = useCase(
  "conversations.update",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, patch: ConversationPatch, expectedVersion: number | null) {
    const { assigneeId, fits } = yield* takeAssignee(patch.assigneeId ?? null, "/assigneeId")
    const { assigneeId: _said, ...others } = patch
    const wanted = patch.assigneeId === undefined ? others : { ...others, assigneeId }
    return yield* reviveConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* requireVersion(before, expectedVersion)
        if (assigneeId !== before.assigneeId) yield* fits
        const changed = yield* patched(before, wanted, now)
        return patch.recipient === undefined ? changed : yield* readdressed(changed, patch.recipient, now)
      })
    )
  }, transact)
)
