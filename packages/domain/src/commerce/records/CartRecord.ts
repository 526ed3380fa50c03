import { Schema } from "effect"
import { Money, Timestamp } from "../../kernel/index.ts"
import { LineRecord } from "./LineRecord.ts"

/** A cart as a shop knows it. */
export const CartRecord = Schema.Struct({
  externalId: Schema.String,
  /** What the order that is placed from it names. */
  token: Schema.NullOr(Schema.String),
  externalCustomerId: Schema.NullOr(Schema.String),
  /** As the shop writes it. */
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  lines: Schema.Array(LineRecord),
  total: Money,
  recoveryUrl: Schema.NullOr(Schema.String),
  completedAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
})
export type CartRecord = typeof CartRecord.Type
