import { Effect } from "effect"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import { CurrentActor, holds, PermissionDenied, useCase } from "../../kernel/index.ts"
import { CommerceOfContacts } from "../commerce/CommerceOfContacts.ts"
import { showCommerce } from "../commerce/shownStores.ts"

/** Reads what all stores know of the contact of a conversation, in one statement. No store is asked. */
export const getConversationCommerce = useCase(
  "commerce.getOfConversation",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: ConversationId, orders: number) {
    if (!holds(yield* CurrentActor, "conversations.read")) {
      return yield* new PermissionDenied({ permission: "conversations.read" })
    }
    return yield* showCommerce(yield* (yield* CommerceOfContacts).readOfConversation(id, orders))
  })
)
