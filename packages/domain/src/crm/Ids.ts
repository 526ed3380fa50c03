import { Schema } from "effect"
import { Uuid } from "../kernel/index.ts"

export const ContactId = Uuid.pipe(Schema.brand("ContactId"))
export type ContactId = typeof ContactId.Type

export const TagId = Uuid.pipe(Schema.brand("TagId"))
export type TagId = typeof TagId.Type

export const ContactFieldId = Uuid.pipe(Schema.brand("ContactFieldId"))
export type ContactFieldId = typeof ContactFieldId.Type

export const SegmentId = Uuid.pipe(Schema.brand("SegmentId"))
export type SegmentId = typeof SegmentId.Type

export const ContactMergeId = Uuid.pipe(Schema.brand("ContactMergeId"))
export type ContactMergeId = typeof ContactMergeId.Type
