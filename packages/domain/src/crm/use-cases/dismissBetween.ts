import { type DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import type { Contact } from "../Contact.ts"
import { DuplicateId } from "../Duplicate.ts"
import { Duplicates } from "../Duplicates.ts"

const isTold = ({ kind }: Contact["identities"][number]) => kind === "chat_user" || kind === "phone"

/**
 * Keeps that these are two people, whatever was told and whatever the chat provider may tell together of what they are known
 * by now. Says how many links were dismissed that there were.
 */
export const dismissBetween = Effect.fnUntraced(function* (one: Contact, other: Contact, now: DateTime.Utc) {
  const duplicates = yield* Duplicates
  const links = yield* Effect.forEach(
    one.identities
      .filter(isTold)
      .flatMap((first) =>
        other.identities
          .filter((second) => isTold(second) && second.kind !== first.kind)
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
