import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `commerce`, by component, operation or event, and path. */
export const commerceFields: FieldDescriptions = {}
