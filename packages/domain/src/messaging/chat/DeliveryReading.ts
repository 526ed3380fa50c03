import type { DateTime, Redacted } from "effect"
import type { InboundEvent } from "./Inbound.ts"

/** A request by which a provider delivers: its headers with their names in small letters, and its bytes as they were signed. */
export interface DeliveryRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A piece of a delivery that can be read by itself. */
export interface DeliveryPart {
  readonly businessId: string
  readonly phoneId: string | null
  readonly body: Uint8Array
}

/** What a provider says when it asks whether an address is ours, and what it wants to hear. */
export interface Handshake {
  readonly token: string
  readonly challenge: string
}

/** Reads what a provider delivers. */
export interface DeliveryReading {
  /** Whether a delivery was signed with one of these secrets: over its raw bytes, in constant time. */
  readonly isSigned: (secrets: ReadonlyArray<Redacted.Redacted>, request: DeliveryRequest, now: DateTime.Utc) => boolean
  /**
   * What a delivery is made of, piece by piece and whole as it was sent, each about one business account or one of its
   * numbers; `null` if it is not one of this provider. `to` is the provider's id of the number that it was delivered to,
   * where the address says so.
   */
  readonly parts: (body: Uint8Array, to: string | null) => ReadonlyArray<DeliveryPart> | null
  /** All events of a delivery, in its order; `null` if it is not one of this provider. Unknown content never fails. */
  readonly read: (body: Uint8Array) => ReadonlyArray<InboundEvent> | null
  /** The handshake in the query of a request; `null` if there is none. */
  readonly handshake: (query: Readonly<Record<string, string | undefined>>) => Handshake | null
}
