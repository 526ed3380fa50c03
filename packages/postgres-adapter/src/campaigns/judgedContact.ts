import type { ContactId } from "@parley/domain/crm"
import { Recipient } from "@parley/domain/messaging"
import type { ExclusionReason, PlannedOutcome, VariantKey } from "@parley/domain/campaigns"
import { Schema } from "effect"

/** A contact of an audience with its outcome. */
export interface Judged {
  readonly id: ContactId
  readonly way: string | null
  readonly reason: ExclusionReason | null
  readonly held: boolean
  readonly variant: VariantKey | null
}

const isKind = Schema.is(Recipient.fields.kind)

/** Parses an address from one text: its kind, a colon, its value. */
export const addressOf = (way: string): Recipient => {
  const end = way.indexOf(":")
  const kind = way.slice(0, end)
  return { kind: isKind(kind) ? kind : "external", value: way.slice(end + 1) }
}

/** Outcome for the contact. */
export const outcomeOf = ({ held, reason, variant, way }: Judged): PlannedOutcome => {
  if (reason !== null) return { kind: "excluded", reason }
  if (held || way === null) return { kind: "held_out" }
  return { kind: "sent", address: addressOf(way), variant }
}
