import { Schema } from "effect"
import { Uuid } from "../kernel/index.ts"

export const BroadcastId = Uuid.pipe(Schema.brand("BroadcastId"))
export type BroadcastId = typeof BroadcastId.Type

export const RecipientId = Uuid.pipe(Schema.brand("RecipientId"))
export type RecipientId = typeof RecipientId.Type

export const AudienceSnapshotId = Uuid.pipe(Schema.brand("AudienceSnapshotId"))
export type AudienceSnapshotId = typeof AudienceSnapshotId.Type
