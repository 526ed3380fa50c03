import type { DateTime } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { StoreConnectionId } from "../Ids.ts"

/** Which records of stores to list; `null` is any. */
export interface CommerceQuery {
  readonly storeConnectionId: StoreConnectionId | null
  readonly contactId: ContactId | null
  readonly updatedSince: DateTime.Utc | null
  /** A part of what it is called or known by, whatever its case and accents. */
  readonly q: string | null
}

/** A record of a shop, by the shop's own id. */
export interface ExternalRef {
  readonly storeConnectionId: StoreConnectionId
  readonly externalId: string
}

/** A record of a shop, and its id here. */
export interface KnownRef<Id> extends ExternalRef {
  readonly id: Id
}
