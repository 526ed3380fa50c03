import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `campaigns`, by component, operation or event, and path. */
export const campaignsFields: FieldDescriptions = {}
