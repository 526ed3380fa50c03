import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `analytics`, by component, operation or event, and path. */
export const analyticsFields: FieldDescriptions = {}
