import { Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { NotFound } from "../../kernel/index.ts"
import { StoreConnections } from "../StoreConnections.ts"
import type { CommerceQuery } from "./CommerceQuery.ts"

/** Refuses to look for what is not there, so that a slip is no empty list. */
export const requireStore = Effect.fnUntraced(function* ({
  storeConnectionId
}: Pick<CommerceQuery, "storeConnectionId">) {
  if (storeConnectionId === null) return
  const [connection] = yield* (yield* StoreConnections).find([storeConnectionId])
  if (connection === undefined)
    return yield* new NotFound({ resource: "store connection", pointer: "/storeConnectionId" })
})

/** As `requireStore`, of the contact, too. */
export const requireAsked = Effect.fnUntraced(function* (query: CommerceQuery) {
  yield* requireStore(query)
  if (query.contactId === null) return
  const [contact] = yield* (yield* Contacts).find([query.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})
