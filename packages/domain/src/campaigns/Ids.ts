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
 * Returns the common prefix of recipient ids: the broadcast id without its last 8 digits, which hold the recipient's place. A receipt finds its
 * recipient by the id alone, which saves an index over millions of rows. The prefix is unique in an organization: it has 48 bits of time and 42
 * random bits.
 */
export const recipientPrefix = (id: BroadcastId): string => id.slice(0, -digitsOfPlace)

/** Returns the id of the recipient at this place. */
export const recipientIdAt = (prefix: string, place: number): RecipientId =>
  RecipientId.make(prefix + place.toString(16).padStart(digitsOfPlace, "0"))

/** Splits a recipient id into its prefix and its place. */
export const parseRecipientId = (id: RecipientId): { readonly prefix: string; readonly place: number } => ({
  prefix: id.slice(0, -digitsOfPlace),
  place: Number.parseInt(id.slice(-digitsOfPlace), 16)
})

/** A whole number between these bounds, both inclusive. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum, maximum }, { message: `Expected ${minimum} to ${maximum}` })
  )
