import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `inbox`, by component, operation or event, and path. */
export const inboxFields: FieldDescriptions = {}
