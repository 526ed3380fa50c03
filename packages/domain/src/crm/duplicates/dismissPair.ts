import { type DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { DuplicateId } from "../Duplicate.ts"
import { Duplicates } from "../Duplicates.ts"

const isFromChat = ({ kind }: Contact["identities"][number]) => kind === "chat_user" || kind === "phone"

/**
 * Records that these are two people. Links that the chat provider could report later between their present identities are
 * stored as dismissed in advance. Returns how many existing links were dismissed.
 */
export const dismissPair = Effect.fnUntraced(function* (one: Contact, other: Contact, now: DateTime.Utc) {
  const duplicates = yield* Duplicates
  const links = yield* Effect.forEach(
    one.identities
      .filter(isFromChat)
      .flatMap((first) =>
        other.identities
          .filter((second) => isFromChat(second) && second.kind !== first.kind)
          .map((second) => [first, second] as const)
      ),
    ([first, second]) =>
      Effect.map(nextId(DuplicateId), (id) => ({
        id,
        one: first,
        other: second,
        source: "chat" as const,
        foundAt: now,
        dismissedAt: now
      }))
  )
  const dismissed = yield* duplicates.dismiss(one.identities, other.identities, now)
  yield* duplicates.add(links)
  return dismissed
})
