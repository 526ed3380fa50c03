import { Schema } from "effect"
import { Uuid } from "../kernel/index.ts"

export const BroadcastId = Uuid.pipe(Schema.brand("BroadcastId"))
export type BroadcastId = typeof BroadcastId.Type

export const RecipientId = Uuid.pipe(Schema.brand("RecipientId"))
export type RecipientId = typeof RecipientId.Type

export const AudienceSnapshotId = Uuid.pipe(Schema.brand("AudienceSnapshotId"))
export type AudienceSnapshotId = typeof AudienceSnapshotId.Type

const digitsOfPlace = 8

/**
 * What the ids of a broadcast's recipients begin with: its own id, without the last 8 digits, which are the recipient's place. So a
 * receipt finds its recipient by the id alone, and no index of ids has to be kept for millions of rows. It is unique in an
 * organization: 48 bits of it are a time, and 42 are random.
 */
export const recipientPrefix = (id: BroadcastId): string => id.slice(0, -digitsOfPlace)

/** The id of the recipient at this place. */
export const recipientIdAt = (prefix: string, place: number): RecipientId =>
  RecipientId.make(prefix + place.toString(16).padStart(digitsOfPlace, "0"))

/** The prefix and the place that a recipient's id is made of. */
export const parseRecipientId = (id: RecipientId): { readonly prefix: string; readonly place: number } => ({
  prefix: id.slice(0, -digitsOfPlace),
  place: Number.parseInt(id.slice(-digitsOfPlace), 16)
})

/** A whole number in these bounds, which count themselves. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum, maximum }, { message: `Expected ${minimum} to ${maximum}` })
  )
