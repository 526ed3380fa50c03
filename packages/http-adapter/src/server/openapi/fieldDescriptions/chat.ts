import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `chat`, by component, operation or event, and path. */
export const chatFields: FieldDescriptions = {}
